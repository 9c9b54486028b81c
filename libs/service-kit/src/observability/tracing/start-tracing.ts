import type { ContextName } from '@capability-router/contracts';
import { ConfigError } from '../../config/load-env.js';
import type { TracingConfig } from '../../config/tracing-env.js';
import { Tracing } from './tracing.js';

/** The SDK runs from this version of Node on. */
const LEAST_NODE = [22, 15] as const;
/** Spans that wait to be sent; those beyond are dropped. */
const MAX_WAITING = 8_192;
const MAX_SENT_AT_ONCE = 512;
const SEND_EVERY_MS = 1_000;
const SEND_TIMEOUT_MS = 5_000;

/**
 * Undefined where the deployment has no place for spans: then nothing of the SDK is loaded. Throws `ConfigError` where
 * this Node is too old for it.
 */
export async function startTracing(service: ContextName, config: TracingConfig): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = config;
  if (base === undefined && whole === undefined) return undefined;
  requireNode();
  const [{ context }, { AsyncLocalStorageContextManager }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
    ]);
  // Several services of one process share it; all but the first are refused, which is as good.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const share = new sdk.TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG);
  const provider = new sdk.TracerProvider({
    // A caller does not decide what is kept; services keep what the gateway kept.
    sampler: service === 'gateway' ? share : new sdk.ParentBasedSampler({ root: share }),
    resource: resourceFromAttributes({
      ...attributesOf(config.OTEL_RESOURCE_ATTRIBUTES),
      'service.namespace': 'capability-router',
      'service.name': service,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        // Headers, certificates, compression and time-outs are read from the variables of the specification.
        exporter: new OTLPTraceExporter({ url: whole ?? `${(base ?? '').replace(/\/+$/, '')}/v1/traces` }),
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_SENT_AT_ONCE,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
  return new Tracing(provider.getTracer('capability-router'), () => provider.shutdown());
}

function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new ConfigError({
    OTEL_EXPORTER_OTLP_ENDPOINT: `traces need Node ${LEAST_NODE.join('.')} or later, this is ${process.versions.node}`,
  });
}

/** `name=value` pairs, comma-separated and percent-encoded, as the specification of OpenTelemetry has them. */
const attributesOf = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (text ?? '')
      .split(',')
      .map((pair) => pair.split('=').map((part) => decodeURIComponent(part.trim())))
      .flatMap(([name = '', value]) => (name === '' || value === undefined ? [] : [[name, value]])),
  );
