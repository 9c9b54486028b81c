import { judged, ms, table } from '../report/markdown.js';
import type { DoorRow } from './measure-mcp-hop.js';

/** The bar of the design. */
const MAX_ADDED_P50_MS = 2;

export function mcpHopSection(rows: readonly DoorRow[]): string {
  const added = Math.max(...rows.map(({ addedP50Ms }) => addedP50Ms));
  return [
    'The tools `discover` (20 tools in its answer) and `call` of `/mcp` beside the requests of REST that they stand for, one after another in rounds turn about of one run, through the real gateway to services without work of their own.',
    table(
      ['Tool', 'Door', 'p50 ms', 'p99 ms', 'added p50 ms'],
      rows.map(({ tool, door, p50Ms, p99Ms, addedP50Ms }) => [
        tool,
        door,
        ms(p50Ms),
        ms(p99Ms),
        door === 'REST' ? '' : ms(addedP50Ms),
      ]),
    ),
    `Bar: MCP adds at most ${MAX_ADDED_P50_MS} ms at p50 over REST: ${judged(`${ms(added)} ms`, added <= MAX_ADDED_P50_MS)}.`,
  ].join('\n\n');
}
