import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

const KEY = `sk-${'a'.repeat(32)}`;
const credits = { remaining_credits: 9.5, held_credits: 0 };

let gateway: GatewayStandIn;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
  gateway.answer = { status: 200, body: { status: 'success', status_code: 0, message: 'ok', data: credits } };
  folder = mkdtempSync(join(tmpdir(), 'caprouter-'));
  env = { XDG_CONFIG_HOME: folder };
});
afterEach(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});
const caprouter = (...args: readonly string[]) => gateway.caprouterIn(env, '', ...args);
const login = (url: string) => gateway.caprouterIn(env, `${KEY}\n`, 'login', '--gateway', url);

it('keeps a gateway and a key that is read from standard input, for its user alone', async () => {
  expect(await login(`${gateway.origin}/api/v1/`)).toMatchObject({
    code: 0,
    out: expect.stringContaining('9.5 credits left'),
  });
  const path = join(folder, 'caprouter', 'login.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect((await caprouter('credits')).out).toBe('9.5 credits left, 0 held by open calls');
  expect(gateway.requests.at(-1)?.line).toBe('GET /api/v1/auth/credits');
  expect(gateway.authorizations.at(-1)).toBe(`Bearer ${KEY}`);
});

it('keeps the key that comes in and not that of the environment, and says which of them comes first', async () => {
  env = { ...env, CAPROUTER_API_KEY: 'sk-of-another-account' };
  const kept = await login(gateway.origin);
  expect(kept).toMatchObject({ code: 0, error: expect.stringContaining('CAPROUTER_API_KEY is set') });
  expect(gateway.authorizations).toEqual([`Bearer ${KEY}`]);
  env = { ...env, CAPROUTER_API_KEY: '' };
  expect((await caprouter('credits')).code).toBe(0);
  expect(gateway.authorizations.at(-1)).toBe(`Bearer ${KEY}`);
});

it('keeps the key of the environment where none comes in, and has nothing to warn of then', async () => {
  env = { ...env, CAPROUTER_API_KEY: KEY };
  expect(await caprouter('login', '--gateway', gateway.origin)).toMatchObject({ code: 0, error: '' });
  env = { XDG_CONFIG_HOME: folder };
  expect((await caprouter('credits')).code).toBe(0);
});

it('says of a key that is refused where it came from', async () => {
  await login(gateway.origin);
  gateway.answer = { status: 401, body: { status: 'failure', status_code: 401, message: 'Invalid API key' } };
  expect((await caprouter('credits')).error).toContain('that of what "caprouter login" has kept');
  expect((await login(gateway.origin)).error).toContain('that of standard input');
  gateway.answer = { ...gateway.answer, status: 403 };
  const file = join(folder, 'key.txt');
  writeFileSync(file, KEY);
  expect((await caprouter('accounts', 'list', '--key-file', file)).error).toContain(`that of the file ${file}`);
  env = { ...env, CAPROUTER_API_KEY: KEY };
  expect((await caprouter('accounts', 'list')).error).toContain('that of CAPROUTER_API_KEY');
});

it('keeps nothing that the gateway does not know', async () => {
  gateway.answer = { status: 401, body: { status: 'failure', status_code: 401, message: 'Invalid API key' } };
  expect(await login(gateway.origin)).toMatchObject({ code: 1, error: expect.stringContaining('Invalid API key') });
  expect((await caprouter('credits')).code).toBe(2);
});

it('sends a kept key to no other gateway', async () => {
  await login(gateway.origin);
  const other = await GatewayStandIn.start();
  expect(await caprouter('credits', '--gateway', other.origin)).toMatchObject({
    code: 2,
    error: expect.stringContaining('no API key'),
  });
  expect(other.requests).toEqual([]);
  await other.stop();
});

it('asks a gateway below a path of its own', async () => {
  await login(`${gateway.origin}/tools/api/v1`);
  expect(gateway.requests.at(-1)?.line).toBe('GET /tools/api/v1/auth/credits');
});

it('takes the demo account of a standalone', async () => {
  writeFileSync(join(folder, 'demo.json'), JSON.stringify({ base_url: `${gateway.origin}/api/v1`, api_key: KEY }));
  expect((await caprouter('login', '--data-dir', folder)).code).toBe(0);
  expect((await caprouter('credits')).code).toBe(0);
});

it('forgets both', async () => {
  await login(gateway.origin);
  expect((await caprouter('logout')).out).toContain('forgotten');
  expect((await caprouter('logout')).out).toBe('nobody was logged in');
  expect((await caprouter('--json', 'logout')).out).toBe('{"forgotten":false}');
  expect((await caprouter('credits')).error).toContain('caprouter login');
});
