import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ExecutionId } from '@capability-router/kernel';
import type { OpenResult } from '../store/result-store.js';
import { selectBytes } from './select-bytes.js';

export interface DownloadAnswer {
  readonly status: 200 | 206 | 304 | 410 | 416;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** The same as `body` where that is bytes of the result. */
  readonly content?: Readable;
}

const noStore = { 'cache-control': 'no-store' };

export const goneAnswer: DownloadAnswer = {
  status: 410,
  headers: noStore,
  body: {
    status: 'failure',
    message: 'The link has expired. Call the tool again, or ask for less with respond_with=fields:….',
  },
};

/** RFC 9110: whole, in part, or not at all. Leaves `found` open where there is no content. */
export async function resultAnswer(
  found: OpenResult,
  executionId: ExecutionId,
  { headOnly, headers }: { readonly headOnly: boolean; readonly headers: IncomingHttpHeaders },
): Promise<DownloadAnswer> {
  const { sizeBytes } = found;
  // A result is written once, so its name is as good as a digest of its bytes.
  const etag = `"${executionId}"`;
  // Only a GET is answered in parts.
  const { range: _range, ...withoutRange } = headers;
  const selected = selectBytes(headOnly ? withoutRange : headers, sizeBytes, etag);
  const validators = { ...noStore, 'accept-ranges': 'bytes', etag };
  if (selected.status === 416) {
    const message = `The range begins after the end of the result, which has ${sizeBytes} bytes.`;
    const range = { 'content-range': `bytes */${sizeBytes}` };
    return { status: 416, headers: { ...validators, ...range }, body: { status: 'failure', message } };
  }
  if (selected.status === 304) return { status: 304, headers: validators };
  // Provider text is untrusted: no browser may show it as a page or guess another type.
  const described = {
    ...validators,
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${executionId}.json"`,
    'x-content-type-options': 'nosniff',
  };
  if (selected.status === 200) {
    const whole = { ...described, 'content-length': sizeBytes };
    if (headOnly) return { status: 200, headers: whole };
    const content = await found.read();
    return { status: 200, headers: whole, body: content, content };
  }
  const { start, end } = selected.range;
  const part = { 'content-range': `bytes ${start}-${end}/${sizeBytes}`, 'content-length': end - start + 1 };
  const content = await found.read(selected.range);
  return { status: 206, headers: { ...described, ...part }, body: content, content };
}
