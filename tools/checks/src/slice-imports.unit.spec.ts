import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkSliceImports } from './slice-imports.js';

describe('the check that slices do not import each other', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'capability-router-slices-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const complaintsAbout = async (files: Readonly<Record<string, string>>): Promise<string[]> => {
    for (const [name, content] of Object.entries(files)) {
      const path = join(root, 'apps/identity/src', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    return checkSliceImports(root);
  };

  it('names the circle and a file of each of its imports', async () => {
    const complaints = await complaintsAbout({
      'grants/grant.ts': "import { hold } from '../holds/hold.js';",
      'holds/hold.ts': "import { grant } from '../grants/grant.js';",
    });
    expect(complaints).toEqual([
      expect.stringMatching(
        /^apps\/identity\/src: slices import each other: grants → holds → grants \(grants\/grant\.ts, holds\/hold\.ts\)/,
      ),
    ]);
  });

  it.each([
    ['a type', "import type { Grant } from '../grants/grant.js';"],
    ['several names, one a line', "import {\n  a,\n  b,\n} from '../grants/grant.js';"],
    ['a re-export', "export { grant } from '../grants/grant.js';"],
    ['an import for its effect', "import '../grants/grant.js';"],
    ['an import when it is needed', "const load = () => import('../grants/grant.js');"],
  ])('counts %s', async (_kind, content) => {
    const files = { 'grants/domain/grant.ts': "import { hold } from '../../holds/hold.js';", 'holds/hold.ts': content };
    expect(await complaintsAbout(files)).toHaveLength(1);
  });

  it('finds a circle of three, once', async () => {
    const complaints = await complaintsAbout({
      'c/c.ts': "import { a } from '../a/a.js';",
      'a/a.ts': "import { b } from '../b/b.js';",
      'b/b.ts': "import { c } from '../c/c.js';",
    });
    expect(complaints).toEqual([expect.stringContaining('a → b → c → a')]);
  });

  it.each([
    ['a file beside all slices', 'books.ts'],
    ['a module of slices', 'identity.module.ts'],
    ['what creates the service', 'create-identity-service.ts'],
  ])('follows %s, which is in a circle with a slice that it uses and that uses it', async (_kind, file) => {
    const complaints = await complaintsAbout({
      [file]: "import { grant } from './grants/grant.js';",
      'grants/grant.ts': `import { x } from '../${file.replace(/\.ts$/, '.js')}';`,
    });
    expect(complaints).toEqual([expect.stringContaining(`${file} → grants`)]);
  });

  it('finds slices that are joined by a file beside them', async () => {
    const complaints = await complaintsAbout({
      'records.ts': "import { key } from './keys/key.js';",
      'accounts/account.ts': "import { records } from '../records.js';",
      'keys/key.ts': "import { account } from '../accounts/account.js';",
    });
    expect(complaints).toEqual([expect.stringContaining('accounts → records.ts → keys → accounts')]);
  });

  it('lets slices share what stands in a slice below them or beside all, and specs look at what they like', async () => {
    const complaints = await complaintsAbout({
      'config.ts': "import { grantConfig } from './grants/grant-config.js';",
      'identity.module.ts': "import { grant } from './grants/grant.js';\nimport { lanes } from './lanes.js';",
      'lanes.ts': 'export const lanes = 4;',
      'grants/grant.ts': "import { hold } from '../holds/hold.js';\nimport { config } from '../config.js';",
      'holds/hold.ts': "import { lanes } from '../lanes.js';\nimport { lock } from './lock.js';",
      'holds/hold.unit.spec.ts': "import { grant } from '../grants/grant.js';",
      'holds/test-support/placed.ts': "import { grant } from '../../grants/grant.js';",
    });
    expect(complaints).toEqual([]);
  });
});
