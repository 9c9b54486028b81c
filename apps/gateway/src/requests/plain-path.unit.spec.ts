import { describe, expect, it } from '@jest/globals';
import { isPlainPath } from './plain-path.js';

describe('a path that is passed on', () => {
  it.each(['/api/v1/search', '/api/v1/results/a.b..c', '/api/v1/x?path=a%2F..%2Fb', '/admin/v1/a.b/c'])(
    'may be %s',
    (path) => {
      expect(isPlainPath(path)).toBe(true);
    },
  );

  it.each([
    '/admin/v1/../../internal/x',
    '/admin/v1/%2e%2E/x',
    '/admin/v1/.',
    '/admin/v1/.%2e?x',
    '/admin/v1\\..\\x',
    '/a\\b',
  ])('is never %s', (path) => {
    expect(isPlainPath(path)).toBe(false);
  });
});
