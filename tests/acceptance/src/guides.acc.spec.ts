import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey, issuer, mailDir, nextOrigin } from './support/environment.js';
import { blocksOf, faultsOfGuide, readGuide, stepsOf, type GuideMachine } from './support/guide.js';
import { booksOf, machineOf } from './support/guide-reader.js';
import { call } from './support/http.js';

const spentBy = async ({ key, initialCredits }: TestAccount): Promise<number> => {
  const { json } = await call('GET', '/auth/credits', { key });
  return initialCredits - (json['data'] as { remaining_credits: number }).remaining_credits;
};

describe('docs/guides/safe-retries.md', () => {
  it('runs as it stands, says what it shows, and is charged once', async () => {
    const account = await newAccount();
    expect(await faultsOfGuide(await readGuide('safe-retries.md'), machineOf(account))).toEqual([]);
    expect(await spentBy(account)).toBe(0.5);
  });

  it('stops before it sends a request whose key is empty', async () => {
    const account = await newAccount();
    const guide = (await readGuide('safe-retries.md')).replace(/^\$ RETRY_KEY=.*$/m, '$ RETRY_KEY=');
    expect(await faultsOfGuide(guide, machineOf(account))).toEqual([expect.stringContaining('is empty, and curl')]);
    expect(await spentBy(account)).toBe(0);
  });

  it('has a function that calls once, however often it is asked to', async () => {
    const account = await newAccount();
    const [definition = ''] = blocksOf(await readGuide('safe-retries.md'), 'js');
    const use = `const ask = () => callOnce(process.env.BASE, process.env.API_KEY,
      { tool_id: 'formula.expression.evaluate.v1', parameters: { expression: '6 * 7' } }, 'one');
    const answers = await Promise.all([ask(), ask()]);
    answers.push(await ask());
    console.log(new Set(answers.map(({ execution_id }) => execution_id)).size, answers[0].result.data.value);`;
    const script = `node --input-type=module -e "$PROGRAM"`;
    const machine = machineOf(account);
    const variables = { ...machine.variables, PROGRAM: definition + use };
    expect(await faultsOfGuide(`\`\`\`\n$ ${script}\n1 42\n\`\`\`\n`, { ...machine, variables })).toEqual([]);
    expect(await spentBy(account)).toBe(0.5);
  });
});

describe('docs/guides/teams.md', () => {
  it('runs as it stands: a team is charged, and an account has the limits of its plan', async () => {
    const account = await newAccount();
    const { variables, programs } = machineOf(account);
    const machine = { variables: { ...variables, PLAN: `guide-${randomUUID().slice(0, 8)}` }, programs };
    const faults = await faultsOfGuide(await readGuide('teams.md'), { ...machine, programs: [...programs, 'grep'] });
    expect(faults).toEqual([]);
  });
});

describe('docs/guides/console.md', () => {
  it('runs as it stands', async () => {
    expect(await faultsOfGuide(await readGuide('console.md'), machineOf(await newAccount()))).toEqual([]);
  });
});

describe('a guide of administrators', () => {
  it.each(['budgets.md', 'who-did-what.md', 'erase-accounts.md'])('docs/guides/%s runs as it stands', async (name) => {
    const machine = booksOf(machineOf(await newAccount(), ['caprouter']));
    const faults = await faultsOfGuide(await readGuide(name), machine);
    expect(faults).toEqual([]);
  });
});

describe('docs/guides/identity.md', () => {
  it('runs as it stands: an agent gets in, is claimed by mail, people sign in, also where they always do, and a program delegates', async () => {
    const person = fileURLToPath(new URL('support/person-with-browser.js', import.meta.url));
    const own = { EMAIL: `reader-${randomUUID()}@example.org`, MAILS: mailDir(), BROWSER: `node ${person}` };
    const origin = nextOrigin();
    const variables = { BASE: `${origin}/api/v1`, ORIGIN: origin, ADMIN_KEY: adminKey, ISSUER: issuer(), ...own };
    const guide = await readGuide('identity.md');
    expect(await faultsOfGuide(guide, { variables, programs: ['curl', 'node', 'sleep'] })).toEqual([]);
  });
});

describe('a guide that does not hold', () => {
  const machine: GuideMachine = { variables: { NAME: 'a b' }, programs: [] };
  const faults = (text: string): Promise<string[]> => faultsOfGuide(`# Title\n\n\`\`\`\n${text}\n\`\`\`\n`, machine);

  it('is told with its line: another output, lines in another order, a command that fails, what a slim machine lacks', async () => {
    expect(await faults('$ echo "$NAME"; echo c\na …\nc')).toEqual([]);
    expect(await faults('$ echo "$NAME" \\\n    c\na b c')).toEqual([]);
    expect(await faults('$ X=1\n$ echo "$X"\n2')).toEqual([expect.stringMatching(/^line 5 does not say "2", but: 1/)]);
    expect(await faults('$ echo a; echo b\nb\na')).toEqual([expect.stringMatching(/^line 4 does not say "a"/)]);
    expect(await faults('$ echo a\n$ false\n$ echo b')).toEqual([expect.stringMatching(/^line 5 failed: /)]);
    expect(await faults('$ uuidgen')).toEqual([expect.stringMatching(/^line 4 failed: .*not found/s)]);
    expect(await faults('$ echo "$NONE"')).toEqual([expect.stringMatching(/^line 4 failed: .*NONE/s)]);
    expect(await faults('no command')).toEqual(['it has no command']);
  });

  it('is run with the files that it has its reader save, without what it takes out, and ends what it started', async () => {
    const file = '```yaml\n# one.yaml\na: 1\n```\n\n';
    const out =
      '<!-- not run: it needs a lake -->\n\n```sh\nexit 1\n```\n\n<!-- run on neither -->\n\n```sh\nexit 1\n```\n\n';
    const commands = '$ sleep 600 &\n$ node -p \'fs.readFileSync("one.yaml",\n    "utf8")\'\n# one.yaml\na: 1';
    const guide = `${file}${out}\`\`\`\n${commands}\n\`\`\`\n`;
    expect(await faultsOfGuide(guide, { variables: {}, programs: ['node', 'sleep'] })).toEqual([]);
    expect(await faultsOfGuide(guide.replace('not run', 'run'), machine)).toEqual([
      expect.stringContaining('line 9 failed'),
    ]);
  });

  it('has its blocks of sh as commands, and no other language', () => {
    expect(stepsOf('```sh\na\nb\n```\n\n```js\n$ c\n```\n')).toEqual([{ line: 2, command: 'a\nb', shown: [] }]);
  });
});
