import { describe, expect, it } from '@jest/globals';
import { isForEveryPostgres } from './postgres-versions.js';

describe('the mark of specs for every version of PostgreSQL', () => {
  it('is a comment of its own on any line', () => {
    expect(isForEveryPostgres("/** @postgres-versions Plans differ. */\nimport 'x';")).toBe(true);
    expect(isForEveryPostgres('// Long.\n/** @postgres-versions Plans differ. */\n')).toBe(true);
  });

  it('is no mention of it in a text or beside code', () => {
    expect(isForEveryPostgres("expect('/** @postgres-versions */')")).toBe(false);
    expect(isForEveryPostgres('// See @postgres-versions.\n/** @postgres-versionsX */')).toBe(false);
  });
});
