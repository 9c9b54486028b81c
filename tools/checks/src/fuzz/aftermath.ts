import { setTimeout as sleep } from 'node:timers/promises';
import { runNode } from '../run-command.js';
import { originsOf, type FuzzKeys } from './keys.js';

/** Milliseconds in which what was begun ends, and is settled. */
const TIMEOUT_MS = 180_000;
const POLL_MS = 1_000;

interface Reconciled {
  readonly to: string;
  readonly differences: readonly unknown[];
}
interface Looked {
  readonly findings: readonly { readonly check: string; readonly state: string; readonly found: string }[];
}

/**
 * Finds what is not as it has to be once everything has ended: a gateway that is not ready, credits that are held, books that differ
 * since `from` or are not settled up to now (an execution that has not ended holds the settlement up), and what `caprouter doctor`
 * finds: parked events, consumers that lag, invariants.
 */
export async function expectNothingLeft(
  env: Readonly<Record<string, string>>,
  keys: FuzzKeys,
  from: Date,
): Promise<readonly string[]> {
  const endedAtMs = Date.now();
  const findings: string[] = [];
  for (const origin of originsOf(env)) {
    const { status } = await fetch(`${origin}/readyz`);
    if (status !== 200) findings.push(`${origin} answers ${status} to /readyz`);
  }
  const held = await until(
    () => heldCredits(env, keys),
    (credits) => credits === 0,
  );
  if (held !== 0) findings.push(`${held} credits are still held`);
  const reconciled = await until(
    () => caprouter<Reconciled>(env, ['reconcile', '--from', from.toISOString()]),
    ({ to }) => Date.parse(to) >= endedAtMs,
  );
  if (Date.parse(reconciled.to) < endedAtMs) findings.push(`settled up to ${reconciled.to} only`);
  findings.push(...reconciled.differences.map((difference) => `the books differ: ${JSON.stringify(difference)}`));
  const wrong = (looked: Looked): Looked['findings'] =>
    looked.findings.filter(({ state }) => state !== 'ok' && state !== 'skipped');
  const looked = await until(
    () => caprouter<Looked>({ ...env, ...gatewayOf(env, keys) }, ['doctor']),
    (each) => wrong(each).length === 0,
  );
  return [...findings, ...wrong(looked).map(({ check, found }) => `${check}: ${found}`)];
}

/** Whoever runs this may be logged in elsewhere. */
const gatewayOf = (env: Readonly<Record<string, string>>, keys: FuzzKeys): Record<string, string> => ({
  CAPROUTER_GATEWAY_URL: originsOf(env)[0] ?? '',
  CAPROUTER_API_KEY: keys.byScope['read'] ?? '',
});

/** The first value that is as it should be, or the last of those that were not in time. */
async function until<Value>(read: () => Promise<Value>, isGood: (value: Value) => boolean): Promise<Value> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (isGood(value) || performance.now() > deadline) return value;
    await sleep(POLL_MS);
  }
}

async function heldCredits(env: Readonly<Record<string, string>>, keys: FuzzKeys): Promise<number> {
  const response = await fetch(`${originsOf(env)[0] ?? ''}/api/v1/auth/credits`, {
    headers: { authorization: `Bearer ${keys.byScope['read'] ?? ''}` },
  });
  const { data } = (await response.json()) as { readonly data: { readonly held_credits: number } };
  return data.held_credits;
}

/** Standalone is found by its data folder, a distributed deployment by the variables of its services. */
async function caprouter<Answer>(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Answer> {
  const place = env['ACCEPTANCE_DATA_DIR'] === undefined ? [] : ['--data-dir', env['ACCEPTANCE_DATA_DIR']];
  const { output } = await runNode(['tools/cli/bin/caprouter.js', '--json', ...args, ...place], { env });
  const line = output.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) throw new Error(`caprouter ${args.join(' ')}: ${output}`);
  return JSON.parse(line) as Answer;
}
