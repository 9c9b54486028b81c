import type { IncomingHttpHeaders } from 'node:http';
import { namesEtag } from '@capability-router/service-kit';
import type { ByteRange } from '../store/result-store.js';

/** A request for a result is answered with these bytes (RFC 9110, sections 13 and 14). */
export type Selection =
  | { readonly status: 200 }
  | { readonly status: 206; readonly range: ByteRange }
  /** The caller has it already. */
  | { readonly status: 304 }
  /** The range begins after the end. */
  | { readonly status: 416 };

/**
 * Several ranges, other units and what is no range are answered whole, as the RFC allows. A result has no date, so a date
 * in `If-Range` never matches. `etag` with its quotes, a strong one.
 */
export function selectBytes(headers: IncomingHttpHeaders, sizeBytes: number, etag: string): Selection {
  if (namesEtag(headers['if-none-match'], etag)) return { status: 304 };
  const { range } = headers;
  const ifRange = headers['if-range'];
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return { status: 200 };
  const asked = singleRange.exec(range)?.groups;
  if (asked === undefined) return { status: 200 };
  const lastByte = sizeBytes - 1;
  const { first, last, suffix } = asked;
  const start = suffix === undefined ? Number(first) : Math.max(0, sizeBytes - Number(suffix));
  const end = last === undefined || last === '' ? lastByte : Math.min(Number(last), lastByte);
  // A range that ends before it begins is none.
  if (first !== undefined && last !== undefined && last !== '' && Number(last) < Number(first)) return { status: 200 };
  return start > lastByte ? { status: 416 } : { status: 206, range: { start, end } };
}

/** The packages that parse this refuse a suffix longer than the whole, which the RFC answers with the whole. */
const singleRange = /^bytes=(?:(?<first>\d+)-(?<last>\d*)|-(?<suffix>\d+))$/i;
