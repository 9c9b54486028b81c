import { describe, expect, it } from '@jest/globals';
import { findSpecFiles } from './spec-files.js';
import { isForEveryPostgres, isForLongRun, measuresTime } from './spec-marks.js';

describe.each([
  ['of specs for every version of PostgreSQL', isForEveryPostgres, '@postgres-versions'],
  ['of specs that measure time', measuresTime, '@measures-time'],
  ['of specs for the long run', isForLongRun, '@long-run'],
])('the mark %s', (_what, isMarked, tag) => {
  it('is a comment of its own on any line', () => {
    expect(isMarked(`/** ${tag} Plans differ. */\nimport 'x';`)).toBe(true);
    expect(isMarked(`// Long.\n/** ${tag} Plans differ. */\n`)).toBe(true);
  });

  it('is no mention of it in a text or beside code', () => {
    expect(isMarked(`expect('/** ${tag} */')`)).toBe(false);
    expect(isMarked(`// See ${tag}.\n/** ${tag}X */\n/** ${tag}-x */`)).toBe(false);
  });
});

it('lets what measures time run by itself', async () => {
  const { selfContained, measuringTime } = await findSpecFiles();
  expect(measuringTime.map((path) => path.split('/').at(-1))).toContain('complexity.unit.spec.ts');
  expect(selfContained.filter((path) => measuringTime.includes(path))).toEqual([]);
});

it('leaves what is marked for the long run to it alone', async () => {
  const { longRun, ...others } = await findSpecFiles();
  expect(longRun.map((path) => path.split('/').at(-1))).toContain('rollout.fault.spec.ts');
  const elsewhere = Object.values(others).flatMap((paths) => paths.filter((path) => longRun.includes(path)));
  expect(elsewhere).toEqual([]);
});
