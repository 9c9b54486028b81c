import { microseconds, table, whole } from '../report/markdown.js';
import type { TraceCostResult, TraceCostRow } from './measure-trace-cost.js';

export function traceCostSection(result: TraceCostResult): string {
  const { rows, spansPerCall, rounds, callsPerRound, connections } = result;
  const cells = (row: TraceCostRow): readonly string[] => [
    row.way,
    microseconds(row.cpuMicroseconds),
    ...(row.way === 'off'
      ? ['', '']
      : [whole(row.added.median), `${whole(row.added.low)} to ${whole(row.added.high)}`]),
  ];
  return [
    `Standalone: paid calls of a built-in tool, fully accounted, by four routers that differ in [tracing](tracing.md) alone. All of them work at the same time, so that whatever else the machine does makes the calls of each as much dearer: ${rounds} rounds of ${callsPerRound} calls to each, over ${connections} connections. CPU is that of all six services (\`standalone\`) and of their database until the calls are settled and the spans are sent; that of the collector, a process on the loopback interface, is not in it. What is added is the median of the services' differences from \`off\` in the same round, and the middle half of them; \`off, again\` is a second router without traces, which shows how exact that is.`,
    table(['Tracing', 'CPU µs a call', 'added µs', 'middle half'], rows.map(cells)),
    `A call whose trace is kept has ${spansPerCall.toFixed(1)} spans.`,
  ].join('\n\n');
}
