import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { at, listAt, textAt } from '@capability-router/tools-stack';

/** A probe by HTTP with the words and defaults of Kubernetes. */
export interface Probe {
  readonly port: number;
  readonly path: string;
  readonly delayMs: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly failureThreshold: number;
  readonly successThreshold: number;
}

/** Throws for a probe that is none by HTTP. */
export function probeOf(container: unknown, name: string): Probe {
  const probe = at(container, name);
  const path = textAt(probe, 'httpGet.path');
  if (path === '') throw new Error(`${name} is no probe by HTTP`);
  const number = (key: string, otherwise: number): number => Number(at(probe, key) ?? otherwise);
  return {
    port: portOf(container, at(probe, 'httpGet.port')),
    path,
    delayMs: number('initialDelaySeconds', 0) * 1_000,
    periodMs: number('periodSeconds', 10) * 1_000,
    timeoutMs: number('timeoutSeconds', 1) * 1_000,
    failureThreshold: number('failureThreshold', 3),
    successThreshold: number('successThreshold', 1),
  };
}

/** The port of a container by its name or its number. Throws where there is none of that name. */
export function portOf(container: unknown, port: unknown): number {
  const named = listAt(container, 'ports').find((one) => textAt(one, 'name') === port);
  const found = Number(at(named, 'containerPort') ?? port);
  if (!Number.isInteger(found)) throw new Error(`${String(port)} is no port of the container`);
  return found;
}

/** Asks once a period until `ended`, and tells each time that one of the two thresholds has been reached. */
export async function watch(
  address: string,
  probe: Probe,
  ended: AbortSignal,
  tell: (succeeds: boolean) => void,
): Promise<void> {
  const pause = (ms: number): Promise<unknown> => delay(ms, undefined, { signal: ended }).catch(() => undefined);
  await pause(probe.delayMs);
  let [before, inARow] = [false, 0];
  for (;;) {
    const succeeds = await ask(address, probe);
    if (ended.aborted) return;
    inARow = succeeds === before ? inARow + 1 : 1;
    before = succeeds;
    if (inARow >= (succeeds ? probe.successThreshold : probe.failureThreshold)) tell(succeeds);
    await pause(probe.periodMs);
  }
}

/** On a connection of its own, as the kubelet does. */
function ask(host: string, { port, path, timeoutMs }: Probe): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const request = get({ host, port, path, agent: false, signal }, (answer) => {
      answer.resume();
      answer.once('error', () => resolve(false));
      const { statusCode = 0 } = answer;
      answer.once('end', () => resolve(statusCode >= 200 && statusCode < 400));
    });
    request.once('error', () => resolve(false));
  });
}
