import type { Demo } from './demo.js';

/** The text that a newcomer reads: where it runs, the key, and four calls that end in a reconciled charge. */
export function banner(
  demo: Demo,
  demoFile: string,
  metricsUrl: string,
  tool: { readonly id: string; readonly parameters: string },
): string {
  const { base_url: url, api_key: key } = demo;
  const auth = `-H 'Authorization: Bearer ${key}'`;
  const json = `-H 'Content-Type: application/json'`;
  return `
The capability router is running.

  Base URL   ${url}
  API key    ${key}
  Console    ${new URL('/console', url).href}
  Metrics    ${metricsUrl}
  URL and key, and an admin key, are in ${demoFile}

From a need to a reconciled charge, in four calls:

# 1. Find a tool by what it should do (free)
curl -s ${url}/search ${auth} ${json} -d '{"query":"evaluate a math expression"}'

# 2. Inspect it: parameters, price, an example (free)
curl -s ${url}/tools/by-ids ${auth} ${json} -d '{"tool_ids":["${tool.id}"]}'

# 3. Call it; the answer holds an execution_id and the bill
curl -s '${url}/tools/execute?tool_id=${tool.id}' ${auth} ${json} -d '{"parameters":${tool.parameters}}' | tee /tmp/capability-router-call.json

# 4. Reconcile: what was charged for that call, and how the balance moved
EXECUTION_ID=$(sed 's/.*"execution_id":"\\([^"]*\\)".*/\\1/' /tmp/capability-router-call.json); sleep 1; curl -s "${url}/auth/usage/history/v2?execution_id=$EXECUTION_ID" ${auth}; echo; curl -s "${url}/auth/credits/ledger?limit=1" ${auth}

Stop with Ctrl-C. Everything is kept in the data folder.
`;
}
