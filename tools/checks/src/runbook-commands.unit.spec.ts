import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url);
const runbooks = new URL('docs/runbooks/', root);

const textOf = (name: string, folder = runbooks): Promise<string> => readFile(new URL(name, folder), 'utf8');

/** Level and message of a line that code of the bus logs. */
async function levelOf(file: string, message: string): Promise<string | undefined> {
  const text = await textOf(file, new URL('libs/event-bus/src/', root));
  return new RegExp(`logger\\.(\\w+)\\(\\{[^}]*\\}, '${message}`).exec(text)?.[1];
}

describe('the runbooks', () => {
  it('say where a URL of the services goes to psql that it takes no password_file, and how it is given then', async () => {
    const names = (await readdir(runbooks)).filter((name) => name.endsWith('.md'));
    const pages = await Promise.all(names.map(async (name) => ({ name, text: await textOf(name) })));
    const asking = pages.filter(({ text }) => /^ *(psql|pg_restore) .*_DATABASE/m.test(text));
    expect(asking.length).toBeGreaterThan(4);
    expect(asking.filter(({ text }) => !text.includes('`password_file`')).map(({ name }) => name)).toEqual([]);
    expect(await textOf('README.md')).toMatch(/`PGPASSWORD`.*`PGPASSFILE`/s);
  });

  it.each([
    ['outbox-stalled.md', 'kafka/relay.ts', 'a relay failed'],
    ['consumer-lag.md', 'shared/chunk-processor.ts', 'a batch of events failed'],
  ])('name in %s the level that the code logs at', async (page, file, message) => {
    const level = await levelOf(file, message);
    expect(level).toBeDefined();
    expect(await textOf(page)).toContain(`at level \`${level}\``);
  });
});
