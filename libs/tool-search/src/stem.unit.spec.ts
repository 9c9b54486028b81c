import { describe, expect, it } from '@jest/globals';
import { stem } from './stem.js';

describe('stem', () => {
  it.each([
    ['validate', 'validates', 'validating', 'validated', 'validation', 'validator'],
    ['country', 'countries'],
    ['detect', 'detects', 'detecting', 'detected', 'detection'],
    ['map', 'maps', 'mapping', 'mapped'],
    ['distance', 'distances'],
    ['box', 'boxes'],
  ])('brings the forms of %s together', (...forms: string[]) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it('leaves short words, numbers and words that only look inflected alone', () => {
    expect(['ring', 'bus', 'red', 'gas', '2024', 'qr', 'json', 'status', 'analysis'].map(stem)).toEqual([
      'ring',
      'bus',
      'red',
      'gas',
      '2024',
      'qr',
      'json',
      'status',
      'analysis',
    ]);
  });
});
