import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, memory, type Memory } from '../machine/processes.js';
import { medianOf } from '../statistics.js';
import { StandaloneProcess } from '../standalone-process.js';
import { firstAcceptedCall } from './first-accepted-call.js';

const ROUNDS = 3;
const IDLE_MS = 20_000;
const CALL_TIMEOUT_MS = 30_000;

interface Start {
  readonly readyMs: number;
  readonly firstCallMs: number;
}

export interface StartUpResult {
  readonly rounds: number;
  readonly first: Start;
  readonly second: Start;
  readonly idleSeconds: number;
  readonly node: Memory;
  readonly postgres: Memory;
  /** Share of one core that the idle process and its database take. */
  readonly idleCpu: number;
}

type Round = Pick<StartUpResult, 'first' | 'second' | 'node' | 'postgres' | 'idleCpu'>;

/** A first start on an empty data folder, its memory after a while of nothing, and a second start on the same data. */
export async function measureStartUp(log: (line: string) => void): Promise<StartUpResult> {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const result = await measureOnce();
    rounds.push(result);
    log(
      `start-up: first ${result.first.firstCallMs.toFixed(0)} ms, second ${result.second.firstCallMs.toFixed(0)} ms to a call`,
    );
  }
  const start = (which: 'first' | 'second'): Start => ({
    readyMs: medianOf(rounds, (round) => round[which].readyMs),
    firstCallMs: medianOf(rounds, (round) => round[which].firstCallMs),
  });
  const used = (which: 'node' | 'postgres'): Memory => ({
    rss: medianOf(rounds, (round) => round[which].rss),
    pss: medianOf(rounds, (round) => round[which].pss),
  });
  return {
    rounds: ROUNDS,
    first: start('first'),
    second: start('second'),
    idleSeconds: IDLE_MS / 1_000,
    node: used('node'),
    postgres: used('postgres'),
    idleCpu: medianOf(rounds, ({ idleCpu }) => idleCpu),
  };
}

async function measureOnce(): Promise<Round> {
  const dataDir = await mkdtemp(join(tmpdir(), 'capability-router-bench-'));
  try {
    const first = await startedOnce(dataDir, async (standalone, start) => {
      // One call has been made, so what is loaded on demand is there.
      const before = cpuOf(standalone);
      await sleep(IDLE_MS);
      const { pid, postgresPid } = standalone;
      return {
        first: start,
        node: memory(pid, [postgresPid]),
        postgres: memory(postgresPid),
        idleCpu: (cpuOf(standalone) - before) / (IDLE_MS / 1_000),
      };
    });
    const second = await startedOnce(dataDir, (_standalone, start) => Promise.resolve(start));
    return { ...first, second };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const cpuOf = ({ pid }: StandaloneProcess): number => cpuSeconds(pid);

async function startedOnce<T>(
  dataDir: string,
  work: (standalone: StandaloneProcess, start: Start) => Promise<T>,
): Promise<T> {
  const standalone = await StandaloneProcess.start(dataDir);
  try {
    const target = { origin: standalone.origin, apiKey: () => standalone.demo().api_key };
    await firstAcceptedCall(target, CALL_TIMEOUT_MS);
    const firstCallMs = performance.now() - standalone.startedAtMs;
    return await work(standalone, { readyMs: standalone.readyMs, firstCallMs });
  } finally {
    await standalone.stop();
  }
}
