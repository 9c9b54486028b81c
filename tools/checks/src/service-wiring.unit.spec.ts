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
});
