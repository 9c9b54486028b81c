import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace.js';

/** Lines of the file that creates a service: configuration and modules. What it is made of, Nest makes. */
const MAX_LINES = 60;

async function wiringFiles(): Promise<string[]> {
  const apps = await readdir(join(workspaceRoot, 'apps'));
  const files = await Promise.all(
    apps.map(async (app) =>
      (await readdir(join(workspaceRoot, 'apps', app, 'src')))
        .filter((name) => /^create-.*-service\.ts$/.test(name))
        .map((name) => `apps/${app}/src/${name}`),
    ),
  );
  return files.flat();
}

describe('a service', () => {
  it(`is created in ${MAX_LINES} lines`, async () => {
    const files = await wiringFiles();
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const lines = (await readFile(join(workspaceRoot, file), 'utf8')).trimEnd().split('\n').length;
      expect({ file, short: lines <= MAX_LINES }).toEqual({ file, short: true });
    }
  });

  it('does before it is ready what a class …Start says, in that order', async () => {
    const [started, otherwise]: [string[], string[]] = [[], []];
    for (const file of await wiringFiles()) {
      const text = await readFile(join(workspaceRoot, file), 'utf8');
      (/\bstart: \(\) => app\.get\(\w+Start\)\.start\(\)/.test(text) ? started : otherwise).push(file);
    }
    // The gateway has no database and no work in the background: all that it begins with is to listen.
    expect(otherwise).toEqual(['apps/gateway/src/create-gateway-service.ts']);
    expect(started.length).toBeGreaterThan(4);
  });
});
