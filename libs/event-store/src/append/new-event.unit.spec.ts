import { describe, expect, it } from '@jest/globals';
import { toJsonb } from './new-event.js';

describe('event data', () => {
  it('becomes text that jsonb accepts, whatever characters a caller sent', () => {
    const sent = { nul: 'a\0\0b', half: 'x\ud800y', whole: '\u{1f600}', text: '\\u0000', 'name\0\udc00': ['\\\0'] };
    const stored: unknown = JSON.parse(toJsonb(sent));
    expect(stored).toEqual({
      nul: 'a\uFFFD\uFFFDb',
      half: 'x\uFFFDy',
      whole: '\u{1f600}',
      text: '\\u0000',
      'name\uFFFD\uFFFD': ['\\\uFFFD'],
    });
  });
});
