/** A place in a trace, as W3C Trace Context has it. */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Bit 0: spans of the trace are kept. */
  readonly traceFlags: number;
}

/** Version 00; a later version begins like it. */
const PATTERN = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;
const SAMPLED = 1;

/** Undefined where the text is none. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const found = typeof text === 'string' ? PATTERN.exec(text) : null;
  if (found === null) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = found;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) };
}

export const formatTraceparent = ({ traceId, spanId, traceFlags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** 32 hex digits; undefined where the text is no trace context. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  parseTraceparent(traceparent)?.traceId;

export const isSampled = ({ traceFlags }: TraceContext): boolean => (traceFlags & SAMPLED) !== 0;
