import { describe, expect, it } from '@jest/globals';
import { isDisposable } from './disposable-domains.js';
import { emailAddressOf, maskEmail } from './email-address.js';

describe('an e-mail address', () => {
  it.each([
    ['J.Doe+trial@GMail.com', 'j.doe+trial@gmail.com', 'jdoe@gmail.com'],
    ['jdoe@googlemail.com', 'jdoe@googlemail.com', 'jdoe@gmail.com'],
    ['a.b+one+two@example.org', 'a.b+one+two@example.org', 'a.b@example.org'],
    [' Somebody@Example.ORG ', 'somebody@example.org', 'somebody@example.org'],
    ['ｊdoe@example.org', 'jdoe@example.org', 'jdoe@example.org'],
    ['me@bücher.example', 'me@xn--bcher-kva.example', 'me@xn--bcher-kva.example'],
    ['me@XN--BCHER-KVA.example', 'me@xn--bcher-kva.example', 'me@xn--bcher-kva.example'],
    ['+tag@example.org', '+tag@example.org', '+tag@example.org'],
  ])('of %j is sent to as %j and counts as %j', async (text, email, canonical) => {
    expect(await emailAddressOf(text)).toMatchObject({ email, canonical });
  });

  it.each([
    '',
    'nobody',
    '@example.org',
    'a@',
    'a b@example.org',
    'a@b@example.org',
    '"a b"@example.org',
    'a@example.org\nbcc: b@example.org',
    'A <a@example.org>',
    'münchen@example.org',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(250)}.org`,
  ])('is not %j', async (text) => {
    expect(await emailAddressOf(text)).toBeUndefined();
  });

  it('is shown by its first letter and its domain', () => {
    expect(maskEmail('somebody@example.org')).toBe('s***@example.org');
  });
});

describe('a throw-away domain', () => {
  it.each(['mailinator.com', 'deep.below.mailinator.com'])('is %s', (domain) =>
    expect(isDisposable(domain)).toBe(true),
  );
  it.each(['example.org', 'gmail.com', 'com'])('is not %s', (domain) => expect(isDisposable(domain)).toBe(false));
});
