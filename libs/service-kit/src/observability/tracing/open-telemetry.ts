import {
  context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { ContextName } from '@capability-router/contracts';
import { ConfigError } from '../../config/load-env.js';
import type { TracingConfig } from '../../config/tracing-env.js';
import { delay } from '../../util/timing.js';
import { formatTraceparent, type TraceContext } from './traceparent.js';
import {
  useInnerSpans,
  type EndSpan,
  type HandledEvent,
  type RequestSpan,
  type SpanAttributes,
  type Tracing,
} from './tracing.js';

/** Spans that wait to be sent; those beyond are dropped. */
const MAX_WAITING = 8_192;
const MAX_SENT_AT_ONCE = 512;
const SEND_EVERY_MS = 1_000;
const SEND_TIMEOUT_MS = 5_000;
/** Milliseconds that the last spans may take: a collector that is away keeps nobody from stopping. */
const STOP_TIMEOUT_MS = 2_000;

/** The tracer of the service whose request runs. */
const TRACER = createContextKey('tracer of the service');

/** The spans of a service by the SDK of OpenTelemetry. Only this file knows it, and `startTracing` alone loads it. */
export function openTelemetry(service: ContextName, endpoint: string, config: TracingConfig): Tracing {
  // One of the process: a second one is refused, which is as good.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  useInnerSpans({
    describe: (attributes) => trace.getActiveSpan()?.setAttributes(attributes),
    run: runInner,
    begin: beginInner,
    keptTraceId: keptInner,
  });
  const share = new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG);
  const provider = new TracerProvider({
    // A caller does not decide what is kept; services keep what the gateway kept.
    sampler: service === 'gateway' ? share : new ParentBasedSampler({ root: share }),
    resource: resourceFromAttributes({
      ...attributesOf(config.OTEL_RESOURCE_ATTRIBUTES),
      'service.namespace': 'capability-router',
      'service.name': service,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        // Headers, certificates, compression and time-outs are read from the variables of the specification.
        exporter: new OTLPTraceExporter({ url: endpoint }),
        maxQueueSize: MAX_WAITING,
        maxExportBatchSize: MAX_SENT_AT_ONCE,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('capability-router');
  return {
    beginRequest: (name, cause, attributes) => beginRequest(tracer, name, cause, attributes),
    recordHandled: (event) => recordHandled(tracer, event),
    stop: async () => {
      await Promise.race([provider.shutdown(), delay(STOP_TIMEOUT_MS)]);
    },
  };
}

const after = (cause: TraceContext | undefined): Context =>
  cause === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...cause, isRemote: true });

function beginRequest(
  tracer: Tracer,
  name: string,
  cause: TraceContext | undefined,
  attributes: SpanAttributes,
): RequestSpan {
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, after(cause));
  const within = trace.setSpan(ROOT_CONTEXT, span).setValue(TRACER, tracer);
  return {
    traceparent: formatTraceparent(span.spanContext()),
    keptTraceId: span.isRecording() ? span.spanContext().traceId : undefined,
    within: (work) => context.with(within, work),
    end: (more, failed) => {
      span.setAttributes(more);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function recordHandled(tracer: Tracer, { name, cause, attributes, endedAtMs, durationMs }: HandledEvent): void {
  const options = { kind: SpanKind.CONSUMER, attributes, startTime: endedAtMs - durationMs };
  tracer.startSpan(name, options, after(cause)).end(endedAtMs);
}

async function runInner<T>(
  name: string,
  attributes: SpanAttributes,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  const parent = context.active();
  const tracer = parent.getValue(TRACER) as Tracer | undefined;
  // Services ask for things by themselves as well, which is of no trace.
  if (tracer === undefined) return work(undefined);
  const span: Span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => work(formatTraceparent(span.spanContext())));
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** The span of what runs now, where it is kept. */
function keptSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span : undefined;
}

const keptInner = (): string | undefined => keptSpan()?.spanContext().traceId;

function beginInner(name: string, attributes: SpanAttributes): EndSpan | undefined {
  const parent = context.active();
  const tracer = parent.getValue(TRACER) as Tracer | undefined;
  if (tracer === undefined || keptSpan() === undefined) return undefined;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  return (error) => {
    if (error !== undefined && error !== null) {
      span.setAttribute('error.type', errorTypeOf(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  };
}

/** A code, such as the SQLSTATE, or the name of the class; never the text. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

/** `name=value` pairs, comma-separated and percent-encoded, as the specification has them. */
function attributesOf(text = ''): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw unreadable();
    try {
      attributes[decodeURIComponent(name)] = decodeURIComponent(value);
    } catch {
      throw unreadable();
    }
  }
  return attributes;
}

const unreadable = (): ConfigError =>
  new ConfigError({ OTEL_RESOURCE_ATTRIBUTES: 'must be name=value pairs, comma-separated, with % only as in %20' });
