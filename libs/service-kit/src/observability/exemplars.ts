import type { Histogram, Registry } from 'prom-client';

const MS_PER_SECOND = 1_000;

interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  readonly atMs: number;
}

/** The latest of each bucket of each series, by the series as the text format writes it. As many as there are buckets. */
const kept = new WeakMap<Registry, Map<string, Exemplar>>();

/**
 * A histogram of which single values lead to their traces. `prom-client` has exemplars for registries that speak OpenMetrics alone, and these speak the plain
 * text format to whoever asks for it.
 */
export class TracedHistogram<Label extends string> {
  private readonly exemplars: Map<string, Exemplar>;

  /** `buckets`: upper bounds of the histogram, ascending. */
  constructor(
    private readonly histogram: Histogram<Label>,
    private readonly name: string,
    private readonly buckets: readonly number[],
    registry: Registry,
  ) {
    const exemplars = kept.get(registry) ?? new Map<string, Exemplar>();
    kept.set(registry, exemplars);
    this.exemplars = exemplars;
  }

  /** `traceId`: of a trace whose spans are kept. Labels come in one order from everywhere. */
  observe(labels: Partial<Record<Label, string | number>>, value: number, traceId: string | undefined): void {
    this.histogram.observe(labels, value);
    if (traceId === undefined) return;
    const bound = this.buckets.find((upper) => value <= upper);
    const pairs = Object.entries({ le: bound ?? '+Inf', ...labels }).map(
      ([label, text]) => `${label}="${escaped(String(text))}"`,
    );
    this.exemplars.set(`${this.name}_bucket{${pairs.join(',')}}`, { traceId, value, atMs: Date.now() });
  }
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

export const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Does whoever asks with this `Accept` read it? */
export const readsOpenMetrics = (accept: string | undefined): boolean =>
  /\bapplication\/openmetrics-text\b/.test(accept ?? '');

/** The plain text format of a registry as OpenMetrics, with the exemplars of its histograms. */
export function openMetricsOf(text: string, registry: Registry): string {
  const exemplars = kept.get(registry);
  const lines = text.split('\n').filter((line) => line !== '');
  const counters = new Set(lines.flatMap((line) => /^# TYPE (\S+) counter$/.exec(line)?.[1] ?? []));
  const told = lines.map((line) => {
    const [, what, name = '', rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    // A counter is named without what its samples end with.
    if (counters.has(name)) return `# ${what} ${name.replace(/_total$/, '')} ${rest}`;
    const series = exemplars === undefined ? undefined : /^(\S+_bucket\{.*\}) \S+$/.exec(line)?.[1];
    const exemplar = series === undefined ? undefined : exemplars?.get(series);
    if (exemplar === undefined) return line;
    return `${line} # {trace_id="${exemplar.traceId}"} ${exemplar.value} ${exemplar.atMs / MS_PER_SECOND}`;
  });
  return `${told.join('\n')}\n# EOF\n`;
}
