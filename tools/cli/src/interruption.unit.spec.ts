import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('../bin/caprouter.js', import.meta.url));

/** A gateway that never answers. */
let gateway: Server;
let arrived: Promise<IncomingMessage>;
beforeEach(async () => {
  gateway = createServer();
  arrived = new Promise((resolve) => gateway.once('request', resolve));
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => {
    gateway.close(resolve);
    gateway.closeAllConnections();
  });
});

/** Ctrl-C, once the request is there. */
async function interrupted(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      ...process.env,
      CAPROUTER_GATEWAY_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      CAPROUTER_API_KEY: 'sk-environment00',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { headers } = await arrived;
  child.kill('SIGINT');
  const [out, error] = await output;
  return { code: await ended, out, error, key: String(headers['idempotency-key']) };
}

it('Ctrl-C ends a question with the exit code of shells, and says that nothing was changed', async () => {
  const { code, out, error } = await interrupted('discover', 'weather');
  expect([code, out, error]).toEqual([130, '', 'error: interrupted\n  Nothing was changed.\n']);
});

it('Ctrl-C during a call says that it may have been made, and how it is repeated without a second charge', async () => {
  const { code, error, key } = await interrupted('call', 'a.b.v1');
  expect([code, error]).toEqual([130, expect.stringContaining('It may have been made. Repeat it with')]);
  expect(error).toContain(`--idempotency-key ${key}:`);
});

it('Ctrl-C during a change says so to a program as well', async () => {
  const { code, error } = await interrupted('--json', 'keys', 'own', 'revoke', 'k1');
  const hints = [expect.stringContaining('may have been done')];
  expect([code, JSON.parse(error)]).toEqual([130, { error: { message: 'interrupted', hints, exit_code: 130 } }]);
});
