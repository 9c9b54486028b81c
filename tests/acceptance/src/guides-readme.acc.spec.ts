import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey, nextOrigin } from './support/environment.js';
import { faultsOfGuide, readGuide } from './support/guide.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** The data folder of a standalone whose demo account is this one; elsewhere a folder with nothing but its `demo.json`. */
async function dataFolderOf({ key, accountId }: TestAccount): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'guide-data-'));
  folders.push(folder);
  const real = process.env['ACCEPTANCE_DATA_DIR'] ?? '';
  for (const name of real === '' ? [] : await readdir(real)) {
    if (name !== 'demo.json') await symlink(join(real, name), join(folder, name));
  }
  const demo = { base_url: `${nextOrigin()}/api/v1`, account_id: accountId, api_key: key, admin_key: adminKey };
  await writeFile(join(folder, 'demo.json'), JSON.stringify(demo));
  return folder;
}

describe('README.md', () => {
  it('runs as it stands: the variables of the guides, a reconciled call, the books, and a capability', async () => {
    const data = await dataFolderOf(await newAccount());
    const parts = ['package.json', 'node_modules', 'tools'].map((name) => [name, join(repository, name)]);
    const given = { data, ...Object.fromEntries(parts) };
    const programs = ['curl', 'grep', 'node', 'npm', 'sh', 'sleep', 'tee'];
    expect(await faultsOfGuide(await readGuide('../../README.md'), { variables: {}, programs, given })).toEqual([]);
  });
});
