"""The onboarding agent: a brain that proposes, inside a process that decides.

`turn.py` is the sans-IO machine of one turn, `worker.py` its shell: take the job over REST, ask the
brain, complete the job with the tools to activate. `toolbox.py` reads the tools from the BPMN,
`request.py` decides what a brain is told, `memory.py` and `budget.py` hold what is counted.
"""
