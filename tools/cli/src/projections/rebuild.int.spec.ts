import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { run } from '../run.js';

const runWith = async (
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number; out: string; error: string }> => {
  const lines: { out: string[]; error: string[] } = { out: [], error: [] };
  const code = await run(args, {
    env,
    stdin: Readable.from([]),
    out: (line) => lines.out.push(line),
    error: (line) => lines.error.push(line),
  });
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
};

describe('caprouter projections rebuild', () => {
  it('names what is missing or unknown, and does nothing then', async () => {
    expect(await runWith({}, 'projections', 'rebuild', 'ledger')).toMatchObject({
      code: 2,
      error: expect.stringContaining('usage-audit'),
    });
    expect(await runWith({}, 'projections', 'rebuild', 'usage-audit')).toMatchObject({
      code: 2,
      error: expect.stringContaining('BILLING_DATABASE_OWNER_URL'),
    });
  });

  it('says that a database cannot be reached, or has no audit', async () => {
    const nowhere = { BILLING_DATABASE_OWNER_URL: 'postgres://nobody@127.0.0.1:1/none' };
    expect(await runWith(nowhere, 'projections', 'rebuild', 'usage-audit')).toMatchObject({ code: 3 });
    const empty = { BILLING_DATABASE_OWNER_URL: process.env['TEST_POSTGRES_URL'] };
    const { code, error } = await runWith(empty, 'projections', 'rebuild', 'usage-audit');
    expect({ code, error }).toMatchObject({ code: 3, error: expect.stringContaining('schema') });
  });
});
