import {
  context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { formatTraceparent } from './traceparent.js';

const TRACING = createContextKey('tracing of the service');

/** The spans of one service. Whoever runs the service makes it, where the deployment has a place for spans. */
export class Tracing {
  /** @param end sends what waits */
  constructor(
    readonly tracer: Tracer,
    private readonly end: () => Promise<void>,
  ) {}

  /** Begins the span of a request or a batch that comes from elsewhere. What runs in the context is of that span. */
  begin(name: string, kind: SpanKind, cause: SpanContext | undefined, attributes: Attributes): Context {
    const parent = cause === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, cause);
    const span = this.tracer.startSpan(name, { kind, attributes }, parent);
    return trace.setSpan(ROOT_CONTEXT, span).setValue(TRACING, this);
  }

  /** Sends the spans that wait. */
  stop(): Promise<void> {
    return this.end();
  }
}

/** Says more about the span of what runs now, where there is one. Never a secret, a name or an address. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/**
 * Runs `work` as a part of what runs now that waits for somebody else, with the `traceparent` to tell them. Where nothing is
 * traced it only runs it. An error ends the span as failed, without its text, which may hold anything.
 */
export async function inClientSpan<T>(
  name: string,
  attributes: Attributes,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  const parent = context.active();
  const tracing = parent.getValue(TRACING) as Tracing | undefined;
  if (tracing === undefined) return work(undefined);
  const span = tracing.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
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
