"""The service tasks of `bpmn/wealth-onboarding.bpmn`, one file per job type.

Handlers know neither pyzeebe nor gRPC: they take a job's variables and return only their own result.
`worker.py` is the one file that speaks to the gateway; `registry.py` is the table of both.
"""
