import { describe, expect, it } from '@jest/globals';
import { newAccount } from './support/accounts.js';
import { faultsOfGuide, readGuide } from './support/guide.js';
import { booksOf, machineOf, withOwnNames } from './support/guide-reader.js';

const faultsFor = async (name: string, programs: readonly string[], ...ownNames: readonly string[]) =>
  faultsOfGuide(withOwnNames(await readGuide(name), ...ownNames), machineOf(await newAccount(), programs));

describe('a guide for operators', () => {
  it('docs/guides/exceptions.md runs as it stands: a call is reported, comes into the queue, and is refunded once', async () => {
    const faults = await faultsFor('exceptions.md', ['caprouter', 'grep', 'sleep'], 'ticket-7');
    expect(faults).toEqual([]);
  });

  it('docs/guides/grants.md runs as it stands: a top-up, a refund, money back and a correction', async () => {
    expect(await faultsFor('grants.md', ['caprouter', 'sleep'], 'invoice-2044')).toEqual([]);
  });

  it('docs/guides/verify-the-ledger.md runs as it stands, on the databases or on the data folder', async () => {
    const machine = machineOf(await newAccount(), ['caprouter']);
    const { variables, given } = booksOf(machine);
    expect(await faultsOfGuide(await readGuide('verify-the-ledger.md'), { ...machine, variables, given })).toEqual([]);
  });

  it('docs/guides/command-line.md runs as it stands: from nothing to a reconciled call, and what is wrong', async () => {
    const machine = machineOf(await newAccount(), ['caprouter']);
    const { given } = booksOf(machine);
    const variables = { ...machine.variables, XDG_CONFIG_HOME: '.' };
    expect(await faultsOfGuide(await readGuide('command-line.md'), { ...machine, variables, given })).toEqual([]);
  });
});

describe('a guide for those who build agents', () => {
  it.each(['full-results.md', 'mcp.md'])('docs/guides/%s runs as it stands', async (name) => {
    expect(await faultsFor(name, [])).toEqual([]);
  });
});
