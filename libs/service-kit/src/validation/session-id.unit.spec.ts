import { describe, expect, it } from '@jest/globals';
import { isSessionId, SessionId, sessionIdSchema } from './session-id.js';
import { validateBody } from './validate-body.js';

class Body {
  @SessionId()
  readonly session_id?: string | null;
}
const pattern = new RegExp(sessionIdSchema.pattern);

describe('the rule of a session_id', () => {
  it.each<[string, string, boolean]>([
    ['an empty text', '', true],
    ['a blank', ' ', true],
    ['a sentence', 'a task of Tuesday: 任务', true],
    ['200 characters', 'x'.repeat(200), true],
    ['200 characters of two units each', '😀'.repeat(200), true],
    ['201 characters', 'x'.repeat(201), false],
    ['two lines', 'a\nb', false],
    ['a NUL', 'a\u0000b', false],
    ['a control character', 'a\u0085b', false],
  ])('is one: %s', (_what, text, taken) => {
    expect(validateBody(Body, { session_id: text }).ok).toBe(taken);
    expect(isSessionId(text)).toBe(taken);
    expect(pattern.test(text) && [...text].length <= sessionIdSchema.maxLength).toBe(taken);
  });

  it('takes null for absent, and no half of a character', () => {
    expect(validateBody(Body, { session_id: null }).ok).toBe(true);
    expect([validateBody(Body, { session_id: 'a\ud800' }).ok, isSessionId('a\ud800')]).toEqual([false, false]);
  });
});
