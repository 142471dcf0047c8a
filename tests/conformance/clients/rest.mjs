// Camunda's own Node client over REST: the operations that docs/supported-api.md claims, against the engine
// at CAMUNDA_REST_ADDRESS. The client checks each answer by its own schemas. Prints {operation: what came}.

import { createCamundaClient } from '@camunda8/orchestration-cluster-api'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const folder = process.argv[2]
const client = createCamundaClient({
  config: {
    CAMUNDA_REST_ADDRESS: process.env.CAMUNDA_REST_ADDRESS,
    CAMUNDA_AUTH_STRATEGY: 'NONE',
    CAMUNDA_SDK_VALIDATION: 'req:none,res:strict',
    CAMUNDA_SDK_LOG_LEVEL: 'silent',
  },
})
const now = { consistency: { waitUpToMs: 0 } }
const told = {}
const outcome = async (name, call, pick = () => 'answered') => {
  try {
    const answer = await call()
    told[name] = pick(answer)
    return answer
  } catch (error) {
    told[name] = `FAILED ${error.message}`.slice(0, 600)
    return undefined
  }
}
const file = (name) => new File([readFileSync(join(folder, name))], basename(name))
const count = (answer) => answer.items.length

await outcome('getTopology', () => client.getTopology(), (a) => a.gatewayVersion)
await outcome('getStatus', () => client.getStatus())
await outcome('getAuthentication', () => client.getAuthentication())
await outcome('createDeployment',
  () => client.createDeployment({ resources: ['p.bpmn', 'm.bpmn', 's.bpmn', 'u.bpmn', 'ask.dmn'].map(file) }),
  (a) => a.deployments.length)
const made = await outcome('createProcessInstance',
  () => client.createProcessInstance({ processDefinitionId: 'p', variables: { n: 1 } }))
const key = made?.processInstanceKey
const filter = { processInstanceKey: key }
await outcome('searchProcessInstances', () => client.searchProcessInstances({ filter }, now), count)
await outcome('getProcessInstance', () => client.getProcessInstance({ processInstanceKey: key }, now), (a) => a.state)
const elements = await outcome('searchElementInstances',
  () => client.searchElementInstances({ filter }, now), count)
await outcome('getElementInstance', () => client.getElementInstance(
  { elementInstanceKey: elements.items[0].elementInstanceKey }, now))
await outcome('createElementInstanceVariables', () => client.createElementInstanceVariables(
  { elementInstanceKey: key, variables: { later: 2 } }))
const variables = await outcome('searchVariables', () => client.searchVariables({ filter }, now), count)
await outcome('getVariable', () => client.getVariable({ variableKey: variables.items[0].variableKey }, now))
await outcome('searchJobs', () => client.searchJobs({ filter }, now), count)

const lease = async () => (await client.activateJobs(
  { type: 'work', worker: 'w', timeout: 60_000, maxJobsToActivate: 1, requestTimeout: 2_000 })).jobs[0]
const job = await outcome('activateJobs', lease, (a) => a.variables.n)
await outcome('updateJob', () => client.updateJob({ jobKey: job.jobKey, changeset: { timeout: 90_000 } }))
await outcome('failJob', () => client.failJob({ jobKey: job.jobKey, retries: 0, errorMessage: 'broken' }))
const incidents = await outcome('searchIncidents', () => client.searchIncidents({ filter }, now), count)
const incidentKey = incidents?.items[0].incidentKey
await outcome('getIncident', () => client.getIncident({ incidentKey }, now), (a) => a.errorType)
await outcome('searchProcessInstanceIncidents',
  () => client.searchProcessInstanceIncidents({ processInstanceKey: key }, now), count)
await client.updateJob({ jobKey: job.jobKey, changeset: { retries: 1 } })
await outcome('resolveIncident', () => client.resolveIncident({ incidentKey }))
const again = await lease()
await outcome('completeJob', () => client.completeJob({ jobKey: again.jobKey, variables: { done: true } }))
const second = await client.createProcessInstance({ processDefinitionId: 'p' })
const thrown = await lease()
await outcome('throwJobError', () => client.throwJobError({ jobKey: thrown.jobKey, errorCode: 'E' }))
await outcome('cancelProcessInstance',
  () => client.cancelProcessInstance({ processInstanceKey: second.processInstanceKey }))

await client.createProcessInstance({ processDefinitionId: 'u', variables: { seen: true } })
const tasks = await outcome('searchUserTasks', () => client.searchUserTasks({ filter: { state: 'CREATED' } }, now), count)
const userTaskKey = tasks?.items[0].userTaskKey
await outcome('getUserTask', () => client.getUserTask({ userTaskKey }, now), (a) => a.candidateGroups)
await outcome('searchUserTaskVariables', () => client.searchUserTaskVariables({ userTaskKey }, now), count)
await outcome('assignUserTask', () => client.assignUserTask({ userTaskKey, assignee: 'anna', allowOverride: false }))
await outcome('unassignUserTask', () => client.unassignUserTask({ userTaskKey }))
await outcome('updateUserTask', () => client.updateUserTask({ userTaskKey, changeset: { priority: 80 } }))
await outcome('completeUserTask', () => client.completeUserTask({ userTaskKey, variables: { ok: true } }))
await outcome('searchUserTaskAuditLogs', () => client.searchUserTaskAuditLogs({ userTaskKey }, now), count)
await outcome('searchAuditLogs', () => client.searchAuditLogs({ filter: { category: 'USER_TASKS' } }, now), count)

await outcome('publishMessage', () => client.publishMessage(
  { name: 'go', correlationKey: 'k', timeToLive: 60_000, messageId: '1', variables: {} }))
await outcome('correlateMessage', () => client.correlateMessage({ name: 'begin', correlationKey: '', variables: {} }))
await outcome('broadcastSignal', () => client.broadcastSignal({ signalName: 'all', variables: {} }))
await outcome('evaluateDecision',
  () => client.evaluateDecision({ decisionDefinitionId: 'ask', variables: { n: 20 } }), (a) => JSON.parse(a.output))
const decisions = await outcome('searchDecisionInstances', () => client.searchDecisionInstances({}, now), count)
await outcome('getDecisionInstance', () => client.getDecisionInstance(
  { decisionEvaluationInstanceKey: decisions.items[0].decisionEvaluationInstanceKey }, now))
const rules = await outcome('searchDecisionDefinitions', () => client.searchDecisionDefinitions({}, now), count)
await outcome('getDecisionDefinition', () => client.getDecisionDefinition(
  { decisionDefinitionKey: rules.items[0].decisionDefinitionKey }, now))
const models = await outcome('searchProcessDefinitions', () => client.searchProcessDefinitions({}, now), count)
const processDefinitionKey = models?.items[0].processDefinitionKey
await outcome('getProcessDefinition', () => client.getProcessDefinition({ processDefinitionKey }, now))
await outcome('getProcessDefinitionXml', () => client.getProcessDefinitionXml({ processDefinitionKey }, now),
  (a) => String(a).includes('definitions'))
console.log(JSON.stringify(told))
process.exit(0)
