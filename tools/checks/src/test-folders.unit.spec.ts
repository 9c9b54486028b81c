import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace.js';

const namesIn = (folder: string): Promise<string[]> => readdir(join(workspaceRoot, folder)).catch(() => []);

/** Packages, as `libs/kernel`. */
async function packages(): Promise<string[]> {
  const found: string[] = [];
  for (const group of ['apps', 'libs', 'tools', 'tests']) {
    for (const name of await namesIn(group)) {
      if ((await namesIn(join(group, name))).includes('package.json')) found.push(join(group, name));
    }
  }
  return found;
}

describe('folders of what only tests use', () => {
  it('are named testing where a package exports them to others, and test-support otherwise', async () => {
    const all = await packages();
    expect(all.length).toBeGreaterThan(15);
    for (const name of all) {
      const folder = join(workspaceRoot, name);
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { exports?: object };
      const isExported = Object.keys(manifest.exports ?? {}).includes('./testing');
      const files = await readdir(join(folder, 'src'), { recursive: true });
      const folders = files.filter((path) => /(^|\/)testing$/.test(path));
      expect({ name, folders }).toEqual({ name, folders: isExported ? ['testing'] : [] });
    }
  });
});
