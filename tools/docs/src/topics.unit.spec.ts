import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { contexts, topicNames, topics } from '@capability-router/contracts';

const apps = fileURLToPath(new URL('../../../apps', import.meta.url));

/** Contents of the sources of a service, without its tests. */
async function sourcesOf(service: string): Promise<string[]> {
  const folder = join(apps, service, 'src');
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.spec\.ts$|(^|\/)(testing|test-support)\//.test(name),
  );
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}

/** Names of the topics to which the event handlers of a service listen. Throws for a handler of which they cannot be told. */
async function topicsHandledBy(service: string): Promise<string[]> {
  const sources = await sourcesOf(service);
  const handled = sources.flatMap((source) =>
    [...source.matchAll(/^\s*@On(?:EventBatch|EveryEvent)\(\s*(\[[^\]]*\]|[\w.]+)/gm)].flatMap(([, listened = '']) => {
      // A list with a name of its own is spelt out where it is declared.
      const declared = new RegExp(`\\bconst ${listened.replace(/\W/g, '.')} = (\\[[^\\]]*\\])`);
      const spelt = sources.map((each) => declared.exec(each)?.[1]).find((list) => list !== undefined) ?? listened;
      const keys = [...spelt.matchAll(/\btopicNames\.(\w+)/g)].map(([, key = '']) => key);
      if (keys.length === 0) throw new Error(`${service}: which topics are meant by ${listened}?`);
      return keys.map((key) => topicNames[key as keyof typeof topicNames]);
    }),
  );
  return [...new Set(handled)].sort();
}

describe('the readers of topics', () => {
  it.each(contexts)('name %s where it has an event handler, and nowhere else', async (service) => {
    const named = topics.filter(({ readers }) => readers.includes(service)).map(({ name }) => name);
    expect(named.sort()).toEqual(await topicsHandledBy(service));
  });

  it('are known of every handler: more than one service has some', async () => {
    const handled = await Promise.all(contexts.map(topicsHandledBy));
    expect(handled.filter((found) => found.length > 0).length).toBeGreaterThan(3);
  });
});
