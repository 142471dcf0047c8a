"""What happened: past-participle records, the only input of `appliers.apply` and of replay.

Rule 1: `key` is the key of the thing the event is about; a new thing has a new key.
Rule 2: an event carries what the applier needs, so that replay reads no model and no clock.
Rule 3: changing the fields of a class raises its VERSIONS entry in `codec.py` and adds an upcaster.
"""

from __future__ import annotations

from aurum_engine.core.events.definitions import (
    DecisionDeployed,
    Deployed,
    DrgDeployed,
    FormDeployed,
    MessageStartClosed,
    MessageStartOpened,
    ProcessDeployed,
)
from aurum_engine.core.events.instances import (
    AdHocFulfilled,
    ElementActivated,
    ElementCompleted,
    ElementTerminated,
    LoopStarted,
    PayloadKept,
    ProcessInstanceCreated,
    ScopeInterrupted,
    SequenceFlowTaken,
    VariableCreated,
    VariableUpdated,
)
from aurum_engine.core.events.waits import (
    MessageCorrelated,
    MessageExpired,
    MessagePublished,
    SignalBroadcast,
    SignalClosed,
    SignalOpened,
    SignalStartClosed,
    SignalStartOpened,
    SubscriptionClosed,
    SubscriptionCorrelated,
    SubscriptionOpened,
    TimerCanceled,
    TimerCreated,
    TimerTriggered,
)
from aurum_engine.core.events.work import (
    Audited,
    DecisionEvaluated,
    IncidentCreated,
    IncidentResolved,
    JobActivated,
    JobCanceled,
    JobCompleted,
    JobCreated,
    JobErrorThrown,
    JobFailed,
    JobMadeActivatable,
    JobRetriesUpdated,
    JobTimeoutUpdated,
    UserTaskAssigned,
    UserTaskCanceled,
    UserTaskCompleted,
    UserTaskCreated,
    UserTaskUpdated,
)

__all__ = [
    "AdHocFulfilled",
    "Audited",
    "DecisionDeployed",
    "DecisionEvaluated",
    "Deployed",
    "DrgDeployed",
    "ElementActivated",
    "ElementCompleted",
    "ElementTerminated",
    "Event",
    "FormDeployed",
    "IncidentCreated",
    "IncidentResolved",
    "JobActivated",
    "JobCanceled",
    "JobCompleted",
    "JobCreated",
    "JobErrorThrown",
    "JobFailed",
    "JobMadeActivatable",
    "JobRetriesUpdated",
    "JobTimeoutUpdated",
    "LoopStarted",
    "MessageCorrelated",
    "MessageExpired",
    "MessagePublished",
    "MessageStartClosed",
    "MessageStartOpened",
    "PayloadKept",
    "ProcessDeployed",
    "ProcessInstanceCreated",
    "ScopeInterrupted",
    "SequenceFlowTaken",
    "SignalBroadcast",
    "SignalClosed",
    "SignalOpened",
    "SignalStartClosed",
    "SignalStartOpened",
    "SubscriptionClosed",
    "SubscriptionCorrelated",
    "SubscriptionOpened",
    "TimerCanceled",
    "TimerCreated",
    "TimerTriggered",
    "UserTaskAssigned",
    "UserTaskCanceled",
    "UserTaskCompleted",
    "UserTaskCreated",
    "UserTaskUpdated",
    "VariableCreated",
    "VariableUpdated",
]

Event = (
    ProcessDeployed
    | DrgDeployed
    | DecisionDeployed
    | FormDeployed
    | Deployed
    | MessageStartOpened
    | MessageStartClosed
    | ProcessInstanceCreated
    | ElementActivated
    | ElementCompleted
    | ElementTerminated
    | ScopeInterrupted
    | AdHocFulfilled
    | LoopStarted
    | PayloadKept
    | SequenceFlowTaken
    | VariableCreated
    | VariableUpdated
    | JobCreated
    | JobActivated
    | JobCompleted
    | JobCanceled
    | JobFailed
    | JobMadeActivatable
    | JobErrorThrown
    | JobRetriesUpdated
    | JobTimeoutUpdated
    | IncidentCreated
    | IncidentResolved
    | UserTaskCreated
    | UserTaskAssigned
    | UserTaskUpdated
    | UserTaskCompleted
    | UserTaskCanceled
    | DecisionEvaluated
    | Audited
    | TimerCreated
    | TimerTriggered
    | TimerCanceled
    | SubscriptionOpened
    | SubscriptionCorrelated
    | SubscriptionClosed
    | MessagePublished
    | MessageCorrelated
    | MessageExpired
    | SignalBroadcast
    | SignalClosed
    | SignalOpened
    | SignalStartClosed
    | SignalStartOpened
)
"""Every kind of event; the codec and the appliers have one entry for each."""
