import { describe, expect, it } from '@jest/globals';
import { previewInput } from './preview-input.js';

describe('the preview of an input', () => {
  it('has no half of a character, which JSON readers of other languages refuse', () => {
    expect(previewInput('a\ud800b')).toBe('a\uFFFDb');
    for (const input of [{ city: 'a\ud800b' }, { 'a\udc00': 1 }]) {
      expect(previewInput(input)).toBe('(halves of characters, which cannot be shown)');
    }
    expect(previewInput({ city: '\ud83d\ude00' })).toEqual({ city: '😀' });
  });
});
