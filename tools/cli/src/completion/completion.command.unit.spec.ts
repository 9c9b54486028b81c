import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { run } from '../run.js';

async function scriptFor(shell: string): Promise<{ code: number; script: string }> {
  const lines: string[] = [];
  const code = await run(['completion', shell], {
    env: {},
    stdin: Readable.from([]),
    out: (line) => void lines.push(line),
    error: () => undefined,
  });
  return { code, script: lines.join('\n') };
}

it.each<[readonly string[], readonly string[]]>([
  [['disc'], ['discover']],
  [
    ['keys', 'own', ''],
    ['list', 'create', 'rotate', 'revoke'],
  ],
  [['call', 'some.tool.v1', '--idem'], []],
  [['call', '--idem'], ['--idempotency-key']],
  [['usage', '--exec'], ['--execution']],
])('bash completes %j', async (words, expected) => {
  const { script } = await scriptFor('bash');
  const asked = `COMP_WORDS=(caprouter ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _caprouter`;
  const completed = execFileSync('bash', ['-c', `${script}\n${asked}\necho "\${COMPREPLY[@]}"`], { encoding: 'utf8' });
  expect(completed.trim().split(' ').filter(Boolean)).toEqual(expect.arrayContaining([...expected]));
});

it.each(['zsh', 'fish'])('%s has a script, too', async (shell) => {
  expect(await scriptFor(shell)).toMatchObject({ code: 0, script: expect.stringContaining('discover') });
});

it('knows no other shell', async () => {
  expect((await scriptFor('tcsh')).code).toBe(2);
});
