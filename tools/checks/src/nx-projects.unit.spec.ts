import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace.js';

/** Folders of what the compiler builds, as `libs/kernel`. */
async function builtFolders(): Promise<string[]> {
  const built: string[] = [];
  for (const group of ['apps', 'libs', 'tools', 'tests']) {
    for (const name of await readdir(join(workspaceRoot, group))) {
      const isBuilt = access(join(workspaceRoot, group, name, 'tsconfig.json')).then(
        () => true,
        () => false,
      );
      if (await isBuilt) built.push(`${group}/${name}`);
    }
  }
  return built;
}

describe('nx', () => {
  it('builds every project, each by its own folder and under a name of its own', async () => {
    const folders = await builtFolders();
    expect(folders.length).toBeGreaterThan(20);
    const projects = await Promise.all(
      folders.map(async (folder) => {
        const text = await readFile(join(workspaceRoot, folder, 'project.json'), 'utf8').catch(() => '{}');
        return JSON.parse(text) as { name?: string; targets?: { build?: { command?: string } } };
      }),
    );
    expect(projects.map(({ targets }) => targets?.build?.command)).toEqual(
      folders.map((folder) => `node node_modules/typescript7/bin/tsc -b ${folder}`),
    );
    expect(new Set(projects.map(({ name }) => name)).size).toBe(folders.length);
  });
});
