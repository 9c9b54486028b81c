import { API_CONTRACT_VERSION } from '@capability-router/contracts';

/** Who answers, in every answer of the protocol. */
export const serverInfo = {
  name: 'capability-router',
  title: 'Capability router',
  version: API_CONTRACT_VERSION,
} as const;

/**
 * The newest first. The first of those before 2026-07-28 is what a client is offered that asks for another one. Revisions
 * before 2025-06-18 have batches, which are not offered.
 */
export const supportedProtocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;

/** Milliseconds for which clients may keep the list of tools. */
export const listTtlMs = 60_000;

/** A model is told this before it sees a tool. */
export const instructions = [
  'A network of tools of many providers, paid per call in credits.',
  '1. discover: describe the capability that you need; keep search_id.',
  '2. inspect: read the full parameters, limits and price of the tools that fit.',
  '3. probe (optional, free): check parameters and get a price without a call.',
  '4. call: run the tool with parameters of its own schema, with search_id, and keep execution_id.',
  'query_capability instead lets the router choose the tool, within max_credits.',
  'usage_history tells by execution_id what became of a call, credits_ledger how the balance moved.',
  'A call that fails or returns nothing costs nothing. Where the outcome of a call is not known, look it up by its execution_id before you repeat it.',
].join('\n');
