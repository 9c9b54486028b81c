import { describe, expect, it } from '@jest/globals';
import { stem } from './stem.js';

describe('stem', () => {
  it.each([
    ['validate', 'validates', 'validating', 'validated'],
    ['country', 'countries'],
    ['detect', 'detects', 'detecting', 'detected', 'detection'],
    ['map', 'maps', 'mapping', 'mapped'],
    ['distance', 'distances'],
    ['box', 'boxes'],
  ])('brings the forms of %s together', (...forms: string[]) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it('leaves numbers, mixed words and other scripts alone', () => {
    expect(['2024', 'base64', 'qr', '天气', 'météos'].map(stem)).toEqual(['2024', 'base64', 'qr', '天气', 'météos']);
  });
});
