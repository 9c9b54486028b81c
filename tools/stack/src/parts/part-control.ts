import { readRunningStack, writeState, type PartName, type RunningPart } from '../stack-state.js';
import { childrenOf, endProcess, stillRuns } from '../system/process-identity.js';
import { startKafka } from './kafka.js';
import { startPostgres } from './postgres.js';
import { startRedis } from './redis.js';

const deathMs = 60_000;
/** Milliseconds in which a session notices by itself that its server is gone. */
const noticeMs = 10_000;

/**
 * SIGKILL to one part of a running stack. The sessions of PostgreSQL notice the death of their server by themselves; one
 * that does not is killed too, because the next server would wait for it.
 */
export async function killPart(directory: string, name: PartName): Promise<void> {
  const { process } = readRunningStack(directory).parts[name];
  const children = childrenOf(process);
  await endProcess(process, [{ signal: 'SIGKILL', waitMs: deathMs }]);
  const deadline = performance.now() + noticeMs;
  while (children.some(stillRuns) && performance.now() < deadline) await new Promise((next) => setTimeout(next, 25));
  await Promise.all(children.map((child) => endProcess(child, [{ signal: 'SIGKILL', waitMs: deathMs }])));
}

/** Starts a part that was killed, on its data and its port, or does nothing when it runs. Resolves when it answers. */
export async function startPart(directory: string, name: PartName): Promise<void> {
  const stack = readRunningStack(directory);
  const before = stack.parts[name];
  if (stillRuns(before.process)) return;
  const start: Readonly<Record<PartName, () => Promise<RunningPart>>> = {
    postgres: () => startPostgres(directory, stack.secrets.postgres, before.port),
    redis: () => startRedis(directory, stack.secrets.redis, before.port),
    kafka: () => startKafka(directory, before.port),
  };
  const part = await start[name]();
  writeState({ ...stack, parts: { ...stack.parts, [name]: part } });
  // It can be stopped, but whoever has its address does not find it.
  if (part.port !== before.port) throw new Error(`port ${before.port} of ${name} is taken; it came up on ${part.port}`);
}
