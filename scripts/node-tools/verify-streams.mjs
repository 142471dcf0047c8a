// Runs recorded AG-UI streams through the official clients, each on a fresh agent.
//
// Input (file argument): JSON lines `{"name": text, "events": [event, ...]}`.
// Output: one JSON line per stream and client that complained, then a summary line. A stream may not
// be rejected and may not cause a single console warning or error.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const clients = { "1.0.0": require("@ag-ui/client"), "0.0.59": require("agui-client-0059") };

const complaints = [];
for (const level of ["warn", "error"]) {
  console[level] = (...parts) => complaints.push(parts.map(String).join(" ").slice(0, 300));
}
process.on("unhandledRejection", (error) => complaints.push(`unhandled ${String(error).slice(0, 300)}`));

async function read(library, events) {
  const { AbstractAgent } = library;
  const { Observable } = require("rxjs");
  class Recorded extends AbstractAgent {
    run() {
      return new Observable((subscriber) => {
        for (const event of events) subscriber.next(event);
        subscriber.complete();
      });
    }
  }
  const agent = new Recorded({ threadId: "recorded" });
  let finished = 0;
  await agent.runAgent({ runId: "recorded" }, { onRunFinishedEvent: () => void (finished += 1) });
  return { state: agent.state, messages: agent.messages.map((message) => message.id), finished };
}

let failures = 0;
let streams = 0;
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  if (!line) continue;
  const { name, events, state, messages } = JSON.parse(line);
  streams += 1;
  for (const [version, library] of Object.entries(clients)) {
    complaints.length = 0;
    let problem = null;
    try {
      const end = await read(library, events);
      if (state !== undefined && JSON.stringify(sorted(end.state)) !== JSON.stringify(sorted(state))) {
        problem = "another state than the server's";
      } else if (messages !== undefined && JSON.stringify(end.messages) !== JSON.stringify(messages)) {
        problem = `other messages: ${JSON.stringify(end.messages.filter((id, at) => id !== messages[at]).slice(0, 3))} at ${end.messages.findIndex((id, at) => id !== messages[at])} of ${messages.length}/${end.messages.length}`;
      }
    } catch (error) {
      problem = String(error).slice(0, 300);
    }
    if (problem ?? complaints.length) {
      failures += 1;
      process.stdout.write(JSON.stringify({ name, version, problem, complaints: [...complaints] }) + "\n");
    }
  }
}
process.stdout.write(JSON.stringify({ streams, failures }) + "\n");
process.exit(failures ? 1 : 0);

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
  }
  return value;
}
