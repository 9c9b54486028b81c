import type { ContextName } from '@capability-router/contracts';
import type { TracingConfig } from '../../config/tracing-env.js';
import type { Tracing } from './tracing.js';

/** Undefined where the deployment has no place for spans. */
export async function startTracing(service: ContextName, config: TracingConfig): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = config;
  const endpoint = whole ?? (base === undefined ? undefined : `${base}/v1/traces`);
  if (endpoint === undefined) return undefined;
  const { openTelemetry } = await import('./open-telemetry.js');
  return openTelemetry(service, endpoint, config);
}
