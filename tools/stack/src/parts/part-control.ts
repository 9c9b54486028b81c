import { readRunningStack, writeState, type PartName, type RunningPart } from '../stack-state.js';
import { childrenOf, endProcess, stillRuns, type ProcessIdentity } from '../system/process-identity.js';
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
  const { process: main } = readRunningStack(directory).parts[name];
  const children = childrenOf(main);
  await endProcess(main, [{ signal: 'SIGKILL', waitMs: deathMs }]);
  const deadline = performance.now() + noticeMs;
  while (children.some(stillRuns) && performance.now() < deadline) await new Promise((next) => setTimeout(next, 25));
  await Promise.all(children.map((child) => endProcess(child, [{ signal: 'SIGKILL', waitMs: deathMs }])));
}

/** SIGSTOP to one part of a running stack, all its processes, as of a machine that hangs. Returns what lets it go on. */
export function freezePart(directory: string, name: PartName): () => void {
  const main = readRunningStack(directory).parts[name].process;
  const held: ProcessIdentity[] = [];
  const hold = (one: ProcessIdentity): void => {
    if (!stillRuns(one)) return;
    process.kill(one.pid, 'SIGSTOP');
    held.push(one);
  };
  // The main process first, so that it starts no more of them.
  hold(main);
  for (const child of childrenOf(main)) hold(child);
  return () => {
    for (const one of held) if (stillRuns(one)) process.kill(one.pid, 'SIGCONT');
  };
}

/** Starts a part that was killed, on its data and its port, or does nothing when it runs. Resolves when it answers. */
export async function startPart(directory: string, name: PartName): Promise<void> {
  const stack = readRunningStack(directory);
  const before = stack.parts[name];
  if (stillRuns(before.process)) return;
  const start: Readonly<Record<PartName, () => Promise<RunningPart>>> = {
    postgres: () => startPostgres(directory, stack.secrets.postgres, before.port),
    redis: () => startRedis(directory, stack.secrets.redis, before.port),
    kafka: () => startKafka(directory, { wishedPort: before.port }),
  };
  const part = await start[name]();
  writeState({ ...stack, parts: { ...stack.parts, [name]: part } });
  // It can be stopped, but whoever has its address does not find it.
  if (part.port !== before.port) throw new Error(`port ${before.port} of ${name} is taken; it came up on ${part.port}`);
}
