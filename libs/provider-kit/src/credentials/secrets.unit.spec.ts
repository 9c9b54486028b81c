import { describe, expect, it } from '@jest/globals';
import { Secrets } from './secrets.js';

const secret = 'ses/ame+"pw ~=?';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a secret', () => {
  it.each<[string, string]>([
    ['as it is', secret],
    ['in a path', encodeURIComponent(secret)],
    ['in a path, escaped in lower case', encodeURIComponent(secret).toLowerCase()],
    ['in a form', new URLSearchParams({ s: secret }).toString().slice(2)],
    ['in JSON', JSON.stringify({ s: secret })],
    ['in JSON whose slashes are escaped', JSON.stringify({ s: secret }).replaceAll('/', '\\/')],
    ['in base64', base64(secret)],
    ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['in base64, after one character', base64(`x${secret}`)],
    ['in base64, after two', base64(`xy${secret}`)],
    ['in base64, between others', base64(`user:${secret}:more`)],
    ['in base64 inside of a URL', encodeURIComponent(base64(secret))],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ])('is found %s', (_name, text) => {
    const told = new Secrets([secret]).redact(`before ${text} after`);
    expect(told).toMatch(/^before .*\[redacted\].* after$/);
    expect(told).not.toContain('ses');
    // At most what it shares with its neighbours is left of an encoded text.
    expect(told.replace('[redacted]', '').length).toBeLessThan(
      text.length + 'before  after'.length - secret.length + 4,
    );
  });

  it('that is short is left alone: it occurs by chance', () => {
    expect(new Secrets(['12345', '']).redact('12345 apples')).toBe('12345 apples');
  });

  it('is taken out of an error, its stack and its causes, and members that hold answers are dropped', () => {
    const cause = Object.assign(new Error(`said ${secret}`), { code: 'ESAID', body: { token: secret } });
    const error = new TypeError(`could not ask https://a.example/?key=${encodeURIComponent(secret)}`, { cause });
    const copy = new Secrets([secret]).redactError(error) as Error & { cause: Error & { code: string } };
    expect(copy).toBeInstanceOf(Error);
    expect(copy.name).toBe('TypeError');
    expect(copy.message).toBe('could not ask https://a.example/?key=[redacted]');
    expect(copy.cause.message).toBe('said [redacted]');
    expect(copy.cause.code).toBe('ESAID');
    expect(copy.cause).not.toHaveProperty('body');
    for (const text of [copy.stack, copy.cause.stack]) expect(text).not.toMatch(/ses(?:\/|%2F)ame/);
  });
});
