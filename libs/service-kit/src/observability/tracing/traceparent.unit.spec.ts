import { describe, expect, it } from '@jest/globals';
import { formatTraceparent, parseTraceparent, traceIdOf } from './traceparent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const TEXT = `00-${TRACE}-${SPAN}-01`;

describe('a trace context', () => {
  it('is read and written as W3C has it', () => {
    const read = parseTraceparent(TEXT);
    expect(read).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: 1 });
    expect(read && formatTraceparent(read)).toBe(TEXT);
    expect(traceIdOf(TEXT)).toBe(TRACE);
    // A later version may say more behind what this one says.
    expect(traceIdOf(`cc-${TRACE}-${SPAN}-01-what-is-to-come`)).toBe(TRACE);
  });

  it.each([
    undefined,
    '',
    ['a', 'b'],
    TEXT.toUpperCase(),
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01x`,
    ` ${TEXT}`,
    `${TEXT}\nx`,
  ])('is none: %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});
