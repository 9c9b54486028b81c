import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { newAccount } from './support/accounts.js';
import { caprouterWith } from './support/caprouter.js';
import { adminKey, nextOrigin } from './support/environment.js';

const program = fileURLToPath(new URL('../../../tools/cli/bin/caprouter.js', import.meta.url));

it('caprouter init leads from a need to a charge that answer, audit and ledger agree on', async () => {
  const { key } = await newAccount(1);
  const env = { PATH: process.env['PATH'], CAPROUTER_GATEWAY_URL: `${nextOrigin()}/api/v1`, CAPROUTER_API_KEY: key };
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--json', 'init'], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    reconciled: true,
    steps: [
      { step: 'credits', remaining_credits: 1 },
      { step: 'discover' },
      { step: 'inspect' },
      { step: 'call', cost: 0.5 },
      { step: 'audit', charged: 0.5 },
      { step: 'ledger', moved: -0.5 },
    ],
  });
});

it('caprouter doctor finds nothing wrong with a deployment that serves, by the gateway and by connections of its own', async () => {
  const named = { CAPROUTER_GATEWAY_URL: nextOrigin(), CAPROUTER_API_KEY: adminKey };
  const { stdout, stderr } = await caprouterWith(named, '--json', 'doctor');
  const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string }[] };
  const looks = findings.filter(({ state }) => state === 'ok').map(({ check }) => check);
  const services = ['billing', 'execution', 'identity', 'registry', 'capability-routing'];
  const ofEach = ['database', 'clock', 'migrations', 'parked'].flatMap((look) =>
    services.map((service) => `${look} ${service}`),
  );
  expect(looks).toEqual(expect.arrayContaining(['gateway', 'clock gateway', 'key', 'invariants', ...ofEach]));
  expect([findings.filter(({ state }) => state === 'failed'), stderr]).toEqual([[], '']);
});
