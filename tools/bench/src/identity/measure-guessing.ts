import { ask, postJson } from './ask.js';
import type { IdentitySite } from './identity-site.js';
import type { IdentitySizes } from './sizes.js';

const CLIENTS = 200;
const DIGITS = 6;
/** A code that was tried and is wrong. What comes after the last try, or has to come back later, is answered otherwise. */
const TRIED = 422;

export interface GuessingResult {
  readonly trials: number;
  readonly clients: number;
  /** The most codes that were tried of any trial. */
  readonly mostTried: number;
  readonly fewestTried: number;
  /** Milliseconds until all clients of a trial were answered, the longest. */
  readonly slowestMs: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Codes of claims, each guessed by all clients at once, at every gateway. */
export async function measureGuessing(site: IdentitySite, sizes: IdentitySizes): Promise<GuessingResult> {
  const { gateways } = site;
  const agent = (index: number, path: string): string => `${gateways[index % gateways.length]}/api/v1/agent/${path}`;
  const statuses: Record<string, number> = {};
  const tried: number[] = [];
  let slowestMs = 0;
  for (let trial = 0; trial < sizes.guessed; trial += 1) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"agent_name":"bench"}' };
    const { data } = await ask<{ data: { claim_code: string } }>(agent(0, 'anonymous-register'), init);
    const who = { claim_code: data.claim_code, email: `guessed-${process.pid}-${trial}@example.org` };
    const claimed = await postJson(agent(0, 'claim'), who);
    if (!claimed.ok) throw new Error(`a claim was answered ${claimed.status}: ${await claimed.text()}`);
    const startedMs = performance.now();
    const guesses = Array.from({ length: CLIENTS }, async (_, client) => {
      const code = String(client).padStart(DIGITS, '0');
      const answer = await postJson(agent(client, 'claim-verify'), { ...who, code });
      await answer.arrayBuffer();
      return answer.status;
    });
    const answered = await Promise.all(guesses);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    for (const status of answered) statuses[status] = (statuses[status] ?? 0) + 1;
    tried.push(answered.filter((status) => status === TRIED || status === 200).length);
  }
  return {
    trials: sizes.guessed,
    clients: CLIENTS,
    mostTried: Math.max(...tried),
    fewestTried: Math.min(...tried),
    slowestMs,
    statuses,
  };
}
