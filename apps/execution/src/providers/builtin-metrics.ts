import type { BuiltinAdapter, ObserveRun, TaskOutcome } from '@capability-router/provider-kit';
import { Counter, Gauge, type Registry } from 'prom-client';

const MS_PER_SECOND = 1_000;

type NotBegun = Extract<TaskOutcome, { readonly kind: 'not_begun' }>['why'];
const WHYS: readonly NotBegun[] = ['busy', 'waited', 'not_started', 'not_loaded', 'closed'];

/**
 * The time and memory of each built-in tool, and the state of its processes. As many series as there are tools that were called. Call it
 * once per registry; `adapter` is asked at each scrape.
 */
export function builtinMetrics(registry: Registry, adapter: () => BuiltinAdapter): ObserveRun {
  const registers = [registry];
  const tool = ['tool'] as const;
  const runs = new Counter({
    name: 'builtin_runs_total',
    help: 'Operations of built-in tools that were run, by what came of them: answered, or the fault.',
    labelNames: ['tool', 'result'] as const,
    registers,
  });
  const seconds = new Counter({
    name: 'builtin_run_seconds_total',
    help: 'Seconds that operations of built-in tools ran, without waiting and loading.',
    labelNames: tool,
    registers,
  });
  const cpuSeconds = new Counter({
    name: 'builtin_run_cpu_seconds_total',
    help: 'Seconds of CPU that operations of built-in tools took.',
    labelNames: tool,
    registers,
  });
  const resident = new Gauge({
    name: 'builtin_run_resident_bytes_max',
    help: 'The most resident memory of a process while it ran an operation of the tool, since the service was started.',
    labelNames: tool,
    registers,
  });
  const notRun = new Counter({
    name: 'builtin_not_run_total',
    help: 'Calls of built-in tools that were not begun, by why: busy, waited, not_started, not_loaded, closed.',
    labelNames: ['why'] as const,
    registers,
  });
  // A counter that appears with its first event has not grown: the alerts would not see that one.
  for (const why of WHYS) notRun.inc({ why }, 0);
  const most = new Map<string, number>();
  const gauge = (name: string, help: string, read: () => number): void =>
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('builtin_processes', 'Processes for built-in tools that are there.', () => adapter().processIds.length);
  gauge('builtin_calls_queued', 'Calls of built-in tools that wait for a process.', () => adapter().queued);

  return (toolId: string, result: string, outcome: TaskOutcome): void => {
    if (outcome.kind === 'not_begun') {
      notRun.inc({ why: outcome.why });
      return;
    }
    const { runMs, cpuMs = 0, residentBytes } = outcome.usage;
    runs.inc({ tool: toolId, result });
    seconds.inc({ tool: toolId }, runMs / MS_PER_SECOND);
    cpuSeconds.inc({ tool: toolId }, cpuMs / MS_PER_SECOND);
    if (residentBytes <= (most.get(toolId) ?? 0)) return;
    most.set(toolId, residentBytes);
    resident.set({ tool: toolId }, residentBytes);
  };
}
