import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** A paid call, tried until it succeeds, as a newcomer would. Nothing may listen yet. Throws what was answered last. */
export async function firstAcceptedCall(
  target: { readonly origin: string; apiKey(): string },
  timeoutMs: number,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const failure = await attempt(target).catch((error: unknown) => String(error));
    if (failure === undefined) return;
    if (performance.now() > deadlineMs) throw new Error(`no call was accepted in time: ${failure}`);
    await sleep(POLL_MS);
  }
}

/** Why the call was not accepted; undefined where it was. */
async function attempt(target: { readonly origin: string; apiKey(): string }): Promise<string | undefined> {
  const answer = await fetch(`${target.origin}/api/v1/tools/execute?tool_id=formula.expression.evaluate.v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.apiKey()}`, 'content-type': 'application/json' },
    body: '{"parameters":{"expression":"2 * (3 + 4)^2"}}',
  });
  const text = await answer.text();
  if (answer.ok && (JSON.parse(text) as { success?: boolean }).success === true) return undefined;
  return `${answer.status} ${text}`;
}
