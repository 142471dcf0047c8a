// Camunda's own Node client over gRPC: each call that docs/supported-api.md claims, against the engine at
// ZEEBE_GRPC_ADDRESS. Argument: a folder with p.bpmn, m.bpmn, s.bpmn, ask.dmn. Prints {call: what came}.

import { Camunda8 } from '@camunda8/sdk'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
const zeebe = new Camunda8({
  CAMUNDA_OAUTH_DISABLED: true,
  CAMUNDA_AUTH_STRATEGY: 'NONE',
  ZEEBE_GRPC_ADDRESS: process.env.ZEEBE_GRPC_ADDRESS,
  zeebeGrpcSettings: { ZEEBE_CLIENT_LOG_LEVEL: 'NONE' },
}).getZeebeGrpcApiClient()

const told = {}
const resource = (name) => ({ name, content: readFileSync(join(folder, name)) })
const activate = () =>
  zeebe.activateJobs({
    type: 'work', worker: 'w', timeout: 60_000, maxJobsToActivate: 1, requestTimeout: 2_000,
  })
const start = (variables = {}) => zeebe.createProcessInstance({ bpmnProcessId: 'p', variables })
const refusal = async (call) => call().then(() => 'accepted', (error) => error.code)

told.topology = (await zeebe.topology()).gatewayVersion
const files = ['p.bpmn', 'm.bpmn', 's.bpmn', 'ask.dmn'].map((name) => {
  const { content } = resource(name)
  return name.endsWith('.dmn') ? { decision: content, name } : { process: content, name }
})
told.deployResources = (await zeebe.deployResources(files)).deployments.length

const first = await start({ n: 1 })
told.createProcessInstance = [first.bpmnProcessId, first.version]
const [job] = await activate()
told.activateJobs = [job.type, job.variables.n, job.retries]
await zeebe.updateJobTimeout({ jobKey: job.key, timeout: 90_000 })
await zeebe.setVariables({ elementInstanceKey: job.processInstanceKey, variables: { set: true }, local: false })
await zeebe.failJob({ jobKey: job.key, retries: 1, errorMessage: 'once more', retryBackOff: 0 })
const [again] = await activate()
told.failJob = [again.key === job.key, again.retries, again.variables.set]
await zeebe.completeJob({ jobKey: again.key, variables: { done: true } })
told.completeJob = await refusal(() => zeebe.completeJob({ jobKey: again.key, variables: {} }))

await start()
const [broken] = await activate()
await zeebe.failJob({ jobKey: broken.key, retries: 0, errorMessage: 'broken', retryBackOff: 0 })
await zeebe.updateJobRetries({ jobKey: broken.key, retries: 1 })
told.updateJobRetries = 'done'
told.resolveIncident = await refusal(() => zeebe.resolveIncident({ incidentKey: '1' }))

const third = await start()
const [thrown] = await activate()
await zeebe.throwError({ jobKey: thrown.key, errorCode: 'E', errorMessage: 'nobody catches it' })
await zeebe.cancelProcessInstance(third.processInstanceKey)
told.throwError = await refusal(() => zeebe.cancelProcessInstance(third.processInstanceKey))

const message = { name: 'go', correlationKey: 'k', variables: { from: 'message' }, timeToLive: 60_000, messageId: 'x' }
told.publishMessage = typeof (await zeebe.publishMessage(message)).key
told.publishedTwice = await refusal(() => zeebe.publishMessage(message))
told.publishStartMessage = typeof (
  await zeebe.publishStartMessage({ name: 'begin', timeToLive: 0, variables: {}, messageId: 'y' })
).key
told.broadcastSignal = typeof (await zeebe.broadcastSignal({ signalName: 'all', variables: {} })).key
const decided = await zeebe.evaluateDecision({ decisionId: 'ask', variables: { n: 20 } })
told.evaluateDecision = JSON.parse(decided.decisionOutput)

const streamed = new Promise((resolve) => {
  zeebe.streamJobs({
    type: 'work', worker: 'stream', timeout: 60_000, fetchVariables: [], tenantIds: [],
    taskHandler: (pushed) => { resolve(pushed.variables.by); return pushed.complete() },
  })
})
await new Promise((resolve) => setTimeout(resolve, 300)) // The stream says nothing when it is open.
await start({ by: 'stream' })
told.streamJobs = await streamed

const worker = zeebe.createWorker({
  taskType: 'other', taskHandler: (pushed) => pushed.complete({ sum: pushed.variables.a + 1 }),
})
const ended = await zeebe.createProcessInstanceWithResult({ bpmnProcessId: 's', variables: { a: 41 } })
told.createProcessInstanceWithResult = ended.variables.sum
await worker.close()

told.modifyProcessInstance = await refusal(() =>
  zeebe.modifyProcessInstance({ processInstanceKey: '1', activateInstructions: [] }))
console.log(JSON.stringify(told))
process.exit(0)
