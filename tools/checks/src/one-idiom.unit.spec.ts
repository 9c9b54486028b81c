import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace.js';

/** Sources of the services, without their tests. */
async function serviceSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const app of await readdir(join(workspaceRoot, 'apps'))) {
    const folder = join(workspaceRoot, 'apps', app, 'src');
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.ts') || /\.spec\.ts$|(^|\/)(testing|test-support)\//.test(name)) continue;
      sources.set(join('apps', app, 'src', name), await readFile(join(folder, name), 'utf8'));
    }
  }
  return sources;
}

/** Every source of the repository, specs as well. */
async function everySource(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const group of ['apps', 'libs', 'tools', 'tests']) {
    for (const project of await readdir(join(workspaceRoot, group))) {
      // The gateway has the scripts of its console beside its own.
      for (const part of ['src', 'console/src']) {
        const folder = join(group, project, part);
        for (const name of await readdir(join(workspaceRoot, folder), { recursive: true }).catch(() => [])) {
          if (!name.endsWith('.ts')) continue;
          sources.set(join(folder, name), await readFile(join(workspaceRoot, folder, name), 'utf8'));
        }
      }
    }
  }
  return sources;
}

/** The kinds of work that services do in one way only, each with the text that another way would have to contain. */
const otherWays = [
  ['an event handler is an @OnEventBatch method of a controller', /\bsubscribeShared\b/, []],
  [
    'a connection of its own is opened so that its loss ends no process',
    /\bnew (pg\.)?(Pool|Client)\(/,
    [
      // It starts before the services are loaded, and listens itself.
      'apps/standalone/src/embedded-postgres/server-process.ts',
      'apps/standalone/src/embedded-postgres/start-embedded-postgres.ts',
    ],
  ],
  [
    'work in the background is a @Periodic method of a provider',
    /\bsetInterval\(|\bdelay\([\w.]*interval/i,
    [
      // A heartbeat is part of the replica's start and end, and one may be sent while the one before hangs.
      'apps/execution/src/call/journal/owner-lease.ts',
    ],
  ],
  [
    'an injection token of a service stands in its `tokens.ts`',
    /^export const [A-Z][A-Z_]* = Symbol\(/m,
    ['gateway', 'registry', 'execution', 'billing', 'capability-routing'].map((name) => `apps/${name}/src/tokens.ts`),
  ],
] as const;

/** Lists of what Nest makes of a service. */
const listPattern = /\.module\.ts$/;

describe('one idiom for one kind of work', () => {
  it.each(otherWays)('%s', async (_rule, otherWay, exceptions: readonly string[]) => {
    const strays = [...(await serviceSources())].filter(([, text]) => otherWay.test(text)).map(([name]) => name);
    // An exception that nothing needs any more is a stray, too.
    expect(strays.sort()).toEqual([...exceptions].sort());
  });

  it.each([
    ['Periodic', '.task.ts'],
    ['OnEventBatch', '.consumer.ts'],
  ])('@%s stands in files *%s alone', async (decorator, suffix) => {
    const decorated = [...(await serviceSources())].filter(([, text]) =>
      new RegExp(`^\\s*@${decorator}\\b`, 'm').test(text),
    );
    expect(decorated.length).toBeGreaterThan(1);
    expect(decorated.map(([name]) => name).filter((name) => !name.endsWith(suffix))).toEqual([]);
  });

  // "Of the account." leaves its reader to guess the subject; "The state of the account." does not.
  it('a comment begins with its subject or its verb, and not with "What" or "Of"', async () => {
    const riddle = /^\s*(?:\/\*\*?|\*|\/\/) (?:What|Of) .*$/gm;
    const found = [...(await everySource())].flatMap(([name, text]) =>
      [...text.matchAll(riddle)].map(([line]) => `${name}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  // Without a key, a row that breaks another constraint would be left out as well, and nobody would hear of it.
  it('a row that is there already is left alone by the key that it is known by', async () => {
    const exceptions: readonly string[] = [
      // Either of its two keys may be taken, and it finds out which.
      'libs/event-store/src/append/append-to-stream.ts',
      // A migration, which never changes.
      'libs/event-store/src/schema/event-store.sql.ts',
    ];
    const swallowing = [...(await everySource())].filter(([, text]) => /\bON CONFLICT\s+DO NOTHING\b/i.test(text));
    const strays = swallowing
      .map(([name]) => name)
      .filter((name) => !/\.spec\.ts$|(^|\/)(testing|test-support)\//.test(name));
    expect(strays.sort()).toEqual(exceptions);
  });

  it('what only a class itself uses is `private`, not `#`', async () => {
    const sources = await everySource();
    expect(sources.size).toBeGreaterThan(1_000);
    const strays = [...sources].filter(([, text]) => /\bthis\.#\w/.test(text));
    expect(strays.map(([name]) => name)).toEqual([]);
  });

  it('events that a service has parked can be handled again: it has `parked/main.ts` where it has a consumer group', async () => {
    const sources = [...(await serviceSources())];
    const withGroups = sources
      .filter(([, text]) => /^\s*@OnEventBatch\b/m.test(text))
      .map(([name]) => name.split('/')[1]);
    expect(withGroups).toContain('capability-routing');
    const lacking = [...new Set(withGroups)].filter(
      (service) => !sources.some(([name]) => name === `apps/${service}/src/parked/main.ts`),
    );
    expect(lacking).toEqual([]);
  });

  // A class that nothing imports is not even loaded, so that no service can miss it when it starts.
  it('every class with work in the background or event handlers is listed by a module of its service', async () => {
    const sources = [...(await serviceSources())];
    const unlisted = sources.flatMap(([name, text]) => {
      if (!/^\s*@(Periodic|OnEventBatch|OnEveryEvent)\b/m.test(text)) return [];
      const [, service = ''] = name.split('/');
      const lists = sources
        .filter(([list]) => list.startsWith(`apps/${service}/`) && listPattern.test(list))
        .map(([, list]) => list.replace(/^import [^;]*;$/gm, ''));
      const classes = [...text.matchAll(/^export class (\w+)/gm)].map(([, declared = '']) => declared);
      return classes.filter((declared) => !lists.some((list) => new RegExp(`\\b${declared}\\b`).test(list)));
    });
    expect(unlisted).toEqual([]);
  });
});
