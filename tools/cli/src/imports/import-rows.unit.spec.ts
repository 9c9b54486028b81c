import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayStandIn } from '../test-support/gateway-stand-in.js';

let gateway: GatewayStandIn;
let folder: string;
let file: string;
beforeEach(async () => {
  gateway = await GatewayStandIn.start();
  folder = mkdtempSync(join(tmpdir(), 'import-'));
  file = join(folder, 'rows.ndjson');
});
afterEach(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

const taken = { row: 1, line: 1, kind: 'tool', id: 'harbour.tide.now.v1', result: 'created', version: 1 };
const summary = { summary: { rows: 1, results: { created: 1 } } };
const importing = (...options: string[]) => gateway.caprouter(...options, 'catalog', 'import', file);

describe('caprouter catalog import', () => {
  it('sends the file as it is, and prints what became of each row', async () => {
    // More than one chunk of a file.
    const rows = Array.from(
      { length: 9_000 },
      (_row, index) => `{"kind":"tool","tool_id":"harbour.tide.n${index}.v1"}\n`,
    );
    writeFileSync(file, rows.join(''));
    gateway.answer = { status: 200, body: [taken, summary] };
    expect(await importing()).toEqual({
      code: 0,
      out: 'row 1  harbour.tide.now.v1  created\n{"rows":1,"results":{"created":1}}',
      error: '',
    });
    expect(gateway.requests).toEqual([
      {
        line: 'POST /admin/v1/catalog:import',
        key: undefined,
        body: undefined,
        type: 'application/x-ndjson',
        text: rows.join(''),
      },
    ]);
    expect((await importing('--json')).out).toBe(`${JSON.stringify(taken)}\n${JSON.stringify(summary)}`);
  });

  it.each([
    ['has no last line', { status: 200, body: [taken] }],
    ['breaks off', { status: 200, body: [taken], breaksOff: true as const }],
  ])('is not done where the report %s', async (_how, answer) => {
    writeFileSync(file, '{}\n');
    gateway.answer = answer;
    const { code, error } = await importing();
    expect([code, error]).toEqual([3, expect.stringContaining('broke off')]);
  });

  it('says what the gateway said against the whole, and sends nothing where there is no file', async () => {
    writeFileSync(file, '{}\n');
    gateway.answer = { status: 200, body: [taken, { error: { message: 'The database went away.' } }] };
    expect(await importing()).toMatchObject({ code: 1, out: expect.stringContaining('The database went away.') });
    gateway.answer = { status: 403, body: { message: 'This key lacks the scope "admin".' } };
    expect(await importing()).toMatchObject({ code: 1, error: expect.stringContaining('lacks the scope') });
    expect(gateway.requests).toHaveLength(2);
    file = folder;
    expect(await importing()).toMatchObject({ code: 2, error: expect.stringContaining('it is a folder') });
    file = join(folder, 'none');
    expect(await importing()).toMatchObject({ code: 2, error: expect.stringContaining('cannot be read') });
    expect(gateway.requests).toHaveLength(2);
  });

  it('tells a refusal that comes while rows are still to be sent', async () => {
    const server = createServer((_request, response) => {
      const body = JSON.stringify({ message: 'Other imports are running.' });
      response.writeHead(503, { 'retry-after': '7', connection: 'close' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      // More than sockets hold.
      writeFileSync(file, '{"kind":"tool"}\n'.repeat(2_000_000));
      const { port } = server.address() as AddressInfo;
      const env = { CAPROUTER_GATEWAY_URL: `http://127.0.0.1:${port}`, CAPROUTER_API_KEY: 'sk-environment00' };
      const { code, error } = await gateway.caprouterIn(env, '', 'catalog', 'import', file);
      expect([code, error]).toEqual([3, expect.stringContaining('Other imports are running. (503)')]);
      expect(error).toContain('Try again in 7 s.');
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
