import { renderChart } from './chart.js';
import { listAt, ofKind } from './manifests.js';

/** A rule as Prometheus has it. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  /** For how long the expression has to hold, such as `5m`; at once where absent. */
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The alerts that the chart installs, as Helm renders them. Throws an OperatorError where Helm is not there. */
export function renderedAlerts(): AlertRule[] {
  const manifests = renderChart({ release: 'capability-router', values: 'everything.yaml' });
  return ofKind(manifests, 'PrometheusRule')
    .flatMap((rule) => listAt(rule, 'spec.groups'))
    .flatMap((group) => listAt(group, 'rules') as readonly AlertRule[]);
}
