import type { TraceContext } from './traceparent.js';

/** Members of a span. Never a secret, a name of a person, an address or a text that somebody wrote. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** The span of a request that a service serves. */
export interface RequestSpan {
  readonly traceparent: string;
  /** The id of its trace, where its spans are kept. */
  readonly keptTraceId: string | undefined;
  /** Runs `work`, and all that it leads to, as a part of the request. */
  within<T>(work: () => T): T;
  /** Once. `failed`: it went wrong for the service. */
  end(attributes: SpanAttributes, failed: boolean): void;
}

/** An event whose effect is committed. */
export interface HandledEvent {
  readonly name: string;
  readonly cause: TraceContext;
  readonly attributes: SpanAttributes;
  /** Milliseconds: Unix time, and how long the batch took. */
  readonly endedAtMs: number;
  readonly durationMs: number;
}

/** The spans of one service. There is none where a deployment has no place for spans, and nothing of the SDK is loaded. */
export interface Tracing {
  /** `cause`: the place in a trace that the request came with. */
  beginRequest(name: string, cause: TraceContext | undefined, attributes: SpanAttributes): RequestSpan;
  recordHandled(event: HandledEvent): void;
  /** Sends the spans that wait; those that nobody takes in time are lost. */
  stop(): Promise<void>;
}

/** Spans within what runs now, of whichever service of the process. */
export interface InnerSpans {
  describe(attributes: SpanAttributes): void;
  run<T>(name: string, attributes: SpanAttributes, work: (traceparent: string | undefined) => Promise<T>): Promise<T>;
  /** A span that ends when its function is called, by an error as failed. Undefined where the spans of what runs now are not kept. */
  begin(name: string, attributes: SpanAttributes): EndSpan | undefined;
  /** The id of the trace whose spans are kept and of which what runs now is a part. */
  keptTraceId(): string | undefined;
}

export type EndSpan = (error?: unknown) => void;

let innerSpans: InnerSpans | undefined;

/** Called once something is traced in this process. */
export function useInnerSpans(spans: InnerSpans): void {
  innerSpans = spans;
}

/** Are spans made in this process? Whoever would have to prepare for them asks. */
export const makesSpans = (): boolean => innerSpans !== undefined;

/** As `InnerSpans.begin`; undefined where nothing is traced. */
export const beginSpan = (name: string, attributes: SpanAttributes): EndSpan | undefined =>
  innerSpans?.begin(name, attributes);

/** As `InnerSpans.keptTraceId`; undefined where nothing is traced. */
export const keptTraceId = (): string | undefined => innerSpans?.keptTraceId();

/** Says more about the span of what runs now, where there is one. */
export function describeSpan(attributes: SpanAttributes): void {
  innerSpans?.describe(attributes);
}

/**
 * Runs `work` as a part of what runs now that waits for somebody else, with the `traceparent` to tell them. Where nothing is
 * traced it only runs it. An error ends the span as failed, without its text.
 */
export function inClientSpan<T>(
  name: string,
  attributes: SpanAttributes,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  return innerSpans === undefined ? work(undefined) : innerSpans.run(name, attributes, work);
}
