"""Taking a call tree out of everything that goes on: its past is damaged, so nothing may follow from it.

What it has is kept and shown, as it was before the damage; only the indexes by which jobs are handed out,
timers fire and messages and signals are heard lose it. An incident says why.
"""

from __future__ import annotations

from aurum_engine.core import records as r
from aurum_engine.core.appliers.indexes import discard
from aurum_engine.core.ownership import FIRST_KEY
from aurum_engine.core.state import State
from aurum_engine.core.structs import changed


def incident_key_of(root: int) -> int:
    """Return the key of the incident of a quarantined tree: as of a second partition, so that no
    thing of the log ever has it, and the same after every start."""
    return root + FIRST_KEY


def freeze(state: State, root: int, damage: r.Damage, at_ms: int) -> None:
    """Quarantine a tree; doing it again changes nothing. `at_ms` dates the incident."""
    if root in state.quarantined:
        return
    if state.before_change is not None:
        state.before_change(root)
    state.quarantined[root] = damage
    if root not in state.process_instances:
        return  # The record that made it is damaged, and is older than the copy of such events.
    for instance in state.with_called(root):
        for job_key in state.instance_jobs.get(instance, ()):
            _hold_job(state, state.jobs[job_key])
        for element in state.instance_elements.get(instance, ()):
            _silence(state, element)
    _explain(state, state.process_instances[root], damage, at_ms)


def _hold_job(state: State, job: r.Job) -> None:
    backlog = state.activatable.get(job.type, [])
    if job.state is r.JobState.ACTIVATABLE and job.key in backlog:
        backlog.remove(job.key)
        if not backlog:
            del state.activatable[job.type]
    if job.deadline_ms is not None:
        state.jobs[job.key] = changed(job, deadline_ms=None)


def _silence(state: State, element: int) -> None:
    for timer in state.element_timers.pop(element, {}):
        del state.timers[timer]
    for key in state.element_subscriptions.get(element, ()):
        subscription = state.subscriptions[key]
        discard(state.waiting, (subscription.message_name, subscription.correlation_key), key)
    for key in state.element_signals.get(element, ()):
        discard(state.signal_waiting, state.signal_subscriptions[key].signal_name, key)


def _explain(state: State, instance: r.ProcessInstance, damage: r.Damage, at_ms: int) -> None:
    key = incident_key_of(instance.key)
    state.incidents[key] = r.Incident(
        key=key,
        error_type=r.ErrorType.UNKNOWN,
        message=f"quarantined: record {damage.position} of the engine log is damaged ({damage.reason})",
        state=r.IncidentState.ACTIVE,
        element_id=instance.bpmn_process_id,
        element_instance_key=instance.key,
        process_instance_key=instance.key,
        process_definition_key=instance.process_definition_key,
        bpmn_process_id=instance.bpmn_process_id,
        job_key=None,
        retry=r.Retry.NEVER,
        created_ms=at_ms,
        resolved_ms=None,
    )
    state.active_incidents.setdefault(instance.key, {})[key] = None
    state.instance_incidents.setdefault(instance.key, []).append(key)
    if instance.key in state.elements:
        state.elements[instance.key] = changed(state.elements[instance.key], incident_key=key)
