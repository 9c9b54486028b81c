import type { SeenByClients } from './seen-by-clients.js';

export interface PlayedFault {
  readonly name: string;
  readonly seen: SeenByClients;
  /** Ids of answers with 5xx that were looked up. */
  readonly lookedUp: number;
}

/** Markdown: one row for each fault, over all the times that it was played. */
export function reportOf(played: readonly PlayedFault[], seed: number | undefined, startedAt: Date): string {
  const names = [...new Set(played.map(({ name }) => name))];
  const rows = names.map((name) => {
    const times = played.filter((one) => one.name === name);
    const sum = (of: (one: PlayedFault) => number): number => times.reduce((total, one) => total + of(one), 0);
    const most = (of: (one: PlayedFault) => number): number => Math.max(...times.map(of));
    const cells = [
      name,
      times.length,
      sum(({ seen }) => seen.calls),
      sum(({ seen }) => seen.notRun),
      sum(({ seen }) => seen.unknown),
      sum(({ lookedUp }) => lookedUp),
      most(({ seen }) => seen.p50Ms),
      most(({ seen }) => seen.p99Ms),
      most(({ seen }) => seen.longestMs),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = ['Fault', 'Times', 'Calls', '503', 'Unknown', 'Looked up', 'p50 ms', 'p99 ms', 'Longest ms'];
  return [
    `# Torture of ${startedAt.toISOString()}${seed === undefined ? '' : `, seed ${seed}`}`,
    '',
    `| ${head.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(head.length - 1)}`,
    ...rows,
    '',
  ].join('\n');
}
