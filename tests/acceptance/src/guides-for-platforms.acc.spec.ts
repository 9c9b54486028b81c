import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { newAccount } from './support/accounts.js';
import { faultsOfGuide, readGuide } from './support/guide.js';
import { machineOf, withFreePorts, withOwnNames } from './support/guide-reader.js';

describe('docs/guides/add-capability.md', () => {
  it('runs as it stands: a contract comes to be, is asked for, changes, and goes', async () => {
    const guide = withOwnNames(await readGuide('add-capability.md'), 'acme', 'fingerprint');
    const machine = machineOf(await newAccount(), ['caprouter', 'sed', 'sleep']);
    expect(await faultsOfGuide(guide, machine)).toEqual([]);
  });
});

describe('docs/guides/add-tools.md', () => {
  it('runs as it stands: a manifest, rows, an OpenAPI document that changes, and a server of MCP', async () => {
    const own = withOwnNames(await readGuide('add-tools.md'), 'acme', 'weather', 'harbour', 'village', 'samples');
    const guide = await withFreePorts(own, 9090);
    const machine = machineOf(await newAccount(), ['caprouter', 'cat', 'sed', 'sleep']);
    expect(await faultsOfGuide(guide, machine)).toEqual([]);
  });
});

describe('docs/guides/providers.md', () => {
  it('runs as it stands: credentials, a region, and two providers from nothing to the ledger', async () => {
    const own = withOwnNames(await readGuide('providers.md'), 'tides', 'mail', 'library', 'sampler');
    const guide = await withFreePorts(own, 4010, 4011);
    const machine = machineOf(await newAccount(), ['caprouter', 'cat', 'grep', 'sleep']);
    const given = { node_modules: fileURLToPath(new URL('../../../node_modules', import.meta.url)) };
    expect(await faultsOfGuide(guide, { ...machine, given })).toEqual([]);
  });
});
