import { medianOf } from '../statistics.js';

const MICROSECONDS_PER_SECOND = 1_000_000;

/** The figures that every load generator gives of a run. */
export interface Answers {
  /** Answers that count. */
  readonly good: number;
  /** Other ends, by status or kind. */
  readonly bad: Readonly<Record<string, number>>;
  /** Body of one of them. */
  readonly badSample?: string;
  /** CPU seconds of the load generator. */
  readonly cpuSeconds: number;
}

/** By name of the process. */
export type CpuByProcess = Readonly<Record<string, number>>;

export interface Round<R extends Answers> {
  readonly result: R;
  /** Seconds that each process took during the round, the load generator among them. */
  readonly cpu: CpuByProcess;
}

/** One round. `cpu` gives the seconds of each process so far; what `run` waits for after its last answer counts too. */
export async function timedRound<R extends Answers>(cpu: () => CpuByProcess, run: () => Promise<R>): Promise<Round<R>> {
  const before = cpu();
  const result = await run();
  return roundOf(result, before, cpu());
}

/** A round by the seconds of each process before and after it. */
export function roundOf<R extends Answers>(result: R, before: CpuByProcess, after: CpuByProcess): Round<R> {
  const taken = Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)] as const);
  return { result, cpu: { ...Object.fromEntries(taken), 'load generator': result.cpuSeconds } };
}

/** So many rounds of each, turn about, so that whatever else the machine does meanwhile is shared by all. */
export async function turnAbout<Name extends string, R extends Answers>(
  names: readonly Name[],
  count: number,
  run: (name: Name) => Promise<Round<R>>,
): Promise<(name: Name) => readonly Round<R>[]> {
  const rounds = new Map<Name, Round<R>[]>(names.map((name) => [name, []]));
  for (let round = 0; round < count; round += 1) {
    for (const name of names) rounds.get(name)?.push(await run(name));
  }
  return (name) => rounds.get(name) ?? [];
}

/** CPU microseconds for one request, by process: the median of the rounds. */
export function cpuPerRequest(rounds: readonly Round<Answers>[]): Record<string, number> {
  const perRequest = (name: string): number =>
    medianOf(rounds, ({ cpu, result }) => ((cpu[name] ?? 0) / result.good) * MICROSECONDS_PER_SECOND);
  return Object.fromEntries(Object.keys(rounds[0]?.cpu ?? {}).map((name) => [name, perRequest(name)]));
}

/**
 * Every request must have been answered as it should: what was refused is no throughput, and what was lost cannot be
 * reconciled by counting. @throws Error with one of the other answers.
 */
export function clean<R extends Answers>(result: R): R {
  if (Object.keys(result.bad).length === 0) return result;
  throw new Error(`the run was not clean: ${JSON.stringify(result.bad)} ${result.badSample ?? ''}`);
}
