import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { newAccount } from './support/accounts.js';
import { faultsOfGuide, pythonHere, readGuide, typedPythonHere } from './support/guide.js';
import { booksOf, machineOf, withOwnNames } from './support/guide-reader.js';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

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
    const machine = machineOf(await newAccount(), ['caprouter', 'grep', 'sleep']);
    const { given } = booksOf(machine);
    const variables = { ...machine.variables, XDG_CONFIG_HOME: '.' };
    expect(await faultsOfGuide(await readGuide('command-line.md'), { ...machine, variables, given })).toEqual([]);
  });
});

describe('docs/guides/finance.md', () => {
  it('runs as it stands: the topics of the real stack in files, what an account reads without Kafka, and the same revenue from all', async () => {
    const machine = machineOf(await newAccount(), ['caprouter', 'sleep']);
    const { variables } = booksOf(machine);
    const given = Object.fromEntries(['node_modules', 'tools'].map((name) => [name, join(repository, name)]));
    expect(
      await faultsOfGuide(withOwnNames(await readGuide('finance.md'), 'invoice-2045'), {
        ...machine,
        variables,
        given,
      }),
    ).toEqual([]);
  });
});

describe('the program of docs/guides/finance.md', () => {
  it('tells the revenue of corrections and of currencies without small coins as the command does', async () => {
    const machine = machineOf(await newAccount(), ['caprouter']);
    const { variables } = booksOf(machine);
    const [program = ''] = /```js\n\/\/ revenue\.mjs\n[^]*?\n```/.exec(await readGuide('finance.md')) ?? [];
    const grant = 'caprouter grants add "$ACCOUNT" 1000 --category purchased --expires-at';
    const guide = [
      '```',
      '$ export CAPROUTER_GATEWAY_URL="$ORIGIN" CAPROUTER_API_KEY="$ADMIN_KEY"',
      `$ MONTH=$(node -p 'new Date().toISOString().slice(0, 7)')`,
      `$ ${grant} 2099-03-31T23:59:59Z --paid 49.90 --currency EUR`,
      '…led_…',
      '$ caprouter grants correct "$ACCOUNT" -- -0.319999',
      '…led_…',
      `$ ${grant} 2099-04-30T23:59:59Z --paid 499 --currency JPY`,
      '…led_…',
      '$ caprouter --json finance revenue --month "$MONTH" --account "$ACCOUNT" >http.json',
      '```',
      program,
      '```',
      '$ export ORIGIN ADMIN_KEY',
      '$ node revenue.mjs "$MONTH" "$ACCOUNT" >csv.json',
      '$ money() { node -p "JSON.stringify(JSON.parse(fs.readFileSync(process.argv[1])).money)" "$1"; }',
      '$ [ "$(money csv.json)" = "$(money http.json)" ] && echo equal || { money csv.json; money http.json; }',
      'equal',
      `$ node -p 'const { EUR, JPY } = JSON.parse(fs.readFileSync("http.json")).money; [EUR.corrected, JPY.granted].join()'`,
      '-0.02,499',
      '```',
    ].join('\n');
    expect(await faultsOfGuide(guide, { ...machine, variables })).toEqual([]);
  });
});

describe('a guide for those who build agents', () => {
  it('docs/guides/clients.md runs as it stands: each client from a key to a reconciled call', async () => {
    const python = [...(await pythonHere()), ...typedPythonHere()];
    const machine = machineOf(await newAccount(), ['caprouter', 'grep', 'sleep', 'tee', ...python]);
    const variables = { ...machine.variables, XDG_CONFIG_HOME: '.' };
    // The npm package of the client is there as an installation leaves it.
    const given = { node_modules: join(repository, 'node_modules') };
    expect(await faultsOfGuide(await readGuide('clients.md'), { ...machine, variables, given })).toEqual([]);
  });

  it.each(['full-results.md', 'mcp.md'])('docs/guides/%s runs as it stands', async (name) => {
    expect(await faultsFor(name, [])).toEqual([]);
  });
});
