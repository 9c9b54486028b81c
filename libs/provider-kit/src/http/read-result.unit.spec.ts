import { describe, expect, it } from '@jest/globals';
import { textOfBody } from './read-result.js';

describe('the text of a body', () => {
  it.each<[string | undefined, Buffer, string | undefined]>([
    [undefined, Buffer.from('é'), 'é'],
    ['text/plain', Buffer.from('é'), 'é'],
    ['text/plain; charset=UTF-8', Buffer.from('é'), 'é'],
    ['text/csv; charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['text/csv;charset="windows-1252"', Buffer.from([0xe9]), 'é'],
    ['text/plain; charset=gbk', Buffer.from([0xd6, 0xd0]), '中'],
    ['text/plain; charset=utf-16le', Buffer.from('é', 'utf16le'), 'é'],
    ['application/json; charset=iso-8859-1', Buffer.from('"é"'), '"é"'],
    ['text/plain; charset=klingon', Buffer.from('x'), undefined],
    ['text/plain; charset=utf-7', Buffer.from('x'), undefined],
  ])('of type %s is read as what it says', (contentType, body, text) => {
    expect(textOfBody(body, contentType)).toBe(text);
  });
});
