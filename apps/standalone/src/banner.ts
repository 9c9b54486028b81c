import type { Demo } from './demo.js';

interface Started {
  readonly demo: Demo;
  readonly demoFile: string;
  readonly metricsUrl: string;
  /** Whether the gateway takes the demo key. */
  readonly isKeyTaken: boolean;
}

/**
 * The text that a newcomer reads: where it runs, the key, and four calls that end in a reconciled charge. Where the key is
 * refused, it says how to get one that is not, in their place.
 */
export function banner(
  { demo, demoFile, metricsUrl, isKeyTaken }: Started,
  tool: { readonly id: string; readonly parameters: string },
): string {
  const { base_url: url, api_key: key } = demo;
  return `
The capability router is running.

  Base URL   ${url}
  API key    ${isKeyTaken ? key : `that of ${demoFile} is refused`}
  Console    ${new URL('/console', url).href}
  Metrics    ${metricsUrl}
  URL and key, and an admin key, are in ${demoFile}

${isKeyTaken ? fourCalls(demo, tool) : waysToAKey(demo, demoFile)}

Stop with Ctrl-C. Everything is kept in the data folder.
`;
}

function fourCalls(
  { base_url: url, api_key: key }: Demo,
  tool: { readonly id: string; readonly parameters: string },
): string {
  const auth = `-H 'Authorization: Bearer ${key}'`;
  const json = `-H 'Content-Type: application/json'`;
  return `From a need to a reconciled charge, in four calls:

# 1. Find a tool by what it should do (free)
curl -s ${url}/search ${auth} ${json} -d '{"query":"evaluate a math expression"}'

# 2. Inspect it: parameters, price, an example (free)
curl -s ${url}/tools/by-ids ${auth} ${json} -d '{"tool_ids":["${tool.id}"]}'

# 3. Call it; the answer holds an execution_id and the bill
curl -s '${url}/tools/execute?tool_id=${tool.id}' ${auth} ${json} -d '{"parameters":${tool.parameters}}' | tee /tmp/capability-router-call.json

# 4. Reconcile: what was charged for that call, and how the balance moved
EXECUTION_ID=$(sed 's/.*"execution_id":"\\([^"]*\\)".*/\\1/' /tmp/capability-router-call.json); sleep 1; curl -s "${url}/auth/usage/history/v2?execution_id=$EXECUTION_ID" ${auth}; echo; curl -s "${url}/auth/credits/ledger?limit=1" ${auth}`;
}

function waysToAKey({ base_url: url, account_id: accountId = 'acc_…' }: Demo, demoFile: string): string {
  const { origin } = new URL(url);
  return `The demo key was revoked or rotated, or its account was suspended, closed or erased. Where it was

  rotated      write the new key as api_key into ${demoFile}, and start again
  suspended    resume the account with the admin key: POST ${origin}/admin/v1/accounts/${accountId}:resume

Else stop this, remove ${demoFile}, and start again: that makes a new demo key and a new admin key, and revokes those that
were made so before, also what they were rotated to. The account keeps its credits and its history; one that is suspended,
closed or erased is replaced by a new one.`;
}
