import { describe, expect, it } from '@jest/globals';
import { toJsonb } from './new-event.js';

describe('event data', () => {
  it('becomes text that jsonb accepts, whatever characters a caller sent', () => {
    const parsed: unknown = JSON.parse(toJsonb({ nul: 'a\0b', half: 'x\ud800y', whole: '\u{1f600}', text: '\\u0000' }));
    expect(parsed).toEqual({ nul: 'a\uFFFDb', half: 'x\uFFFDy', whole: '\u{1f600}', text: '\\u0000' });
  });
});
