"""One file per kind of element: what entering it means, and what follows its end.

`REGISTRY` is the table; an element type without a row cannot be deployed (a test asks).
"""

from __future__ import annotations

from collections.abc import Mapping

from aurum_engine.bpmn.model import ElementType
from aurum_engine.core.behaviours.ad_hoc import AdHocInnerInstance, AdHocSubProcess
from aurum_engine.core.behaviours.call_activity import CallActivity
from aurum_engine.core.behaviours.catch_event import CatchEvent
from aurum_engine.core.behaviours.end_event import EndEvent
from aurum_engine.core.behaviours.event_gateway import EventGateway
from aurum_engine.core.behaviours.exclusive_gateway import ExclusiveGateway
from aurum_engine.core.behaviours.inclusive_gateway import InclusiveGateway
from aurum_engine.core.behaviours.job_task import JobTask
from aurum_engine.core.behaviours.multi_instance import MultiInstanceBody
from aurum_engine.core.behaviours.pass_through import PassThrough
from aurum_engine.core.behaviours.process import ProcessScope
from aurum_engine.core.behaviours.rule_task import RuleTask
from aurum_engine.core.behaviours.script_task import ScriptTask
from aurum_engine.core.behaviours.sub_process import SubProcess
from aurum_engine.core.behaviours.throw_event import ThrowEvent
from aurum_engine.core.behaviours.user_task import UserTaskBehaviour
from aurum_engine.core.execution import Behaviour

REGISTRY: Mapping[ElementType, Behaviour] = {
    ElementType.PROCESS: ProcessScope(),
    ElementType.SUB_PROCESS: SubProcess(),
    ElementType.EVENT_SUB_PROCESS: SubProcess(),
    ElementType.AD_HOC_SUB_PROCESS: AdHocSubProcess(),
    ElementType.AD_HOC_SUB_PROCESS_INNER_INSTANCE: AdHocInnerInstance(),
    ElementType.CALL_ACTIVITY: CallActivity(),
    ElementType.MULTI_INSTANCE_BODY: MultiInstanceBody(),
    ElementType.START_EVENT: PassThrough(),
    ElementType.INTERMEDIATE_CATCH_EVENT: CatchEvent(),
    ElementType.INTERMEDIATE_THROW_EVENT: ThrowEvent(),
    ElementType.BOUNDARY_EVENT: PassThrough(),
    ElementType.END_EVENT: EndEvent(),
    ElementType.TASK: PassThrough(),
    ElementType.MANUAL_TASK: PassThrough(),
    ElementType.SERVICE_TASK: JobTask(),
    ElementType.SEND_TASK: JobTask(),
    ElementType.RECEIVE_TASK: CatchEvent(),
    ElementType.USER_TASK: UserTaskBehaviour(),
    ElementType.BUSINESS_RULE_TASK: RuleTask(),
    ElementType.SCRIPT_TASK: ScriptTask(),
    ElementType.EXCLUSIVE_GATEWAY: ExclusiveGateway(),
    ElementType.PARALLEL_GATEWAY: PassThrough(),
    ElementType.INCLUSIVE_GATEWAY: InclusiveGateway(),
    ElementType.EVENT_BASED_GATEWAY: EventGateway(),
}
