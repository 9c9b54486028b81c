import { execFile } from 'node:child_process';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { revisions, type Revision } from '../../test-support/mcp-client.js';
import { RunningGateway, validKey } from '../../test-support/running-gateway.js';

const installation = process.env['TEST_MCP_CONFORMANCE'] ?? '';
const program = join(installation, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** Scenarios that fail in each revision. The numbers only ever fall: what is offered keeps to the protocol. */
const mostFailures: Readonly<Record<Revision, number>> = { '2025-11-25': 28, '2026-07-28': 34 };

/** Scenarios that pass in part: a part of them is about what is not offered. */
const partial: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [],
  '2026-07-28': ['server-stateless: 24 passed, 4 failed', 'caching: 4 passed, 3 failed'],
};

const failuresOf = (revision: Revision): string =>
  fileURLToPath(new URL(`../../../src/mcp/conformance/expected-failures.${revision}.yml`, import.meta.url));

const gateway = new RunningGateway();
let proxy: Server;
let folder: string;

beforeAll(async () => {
  await gateway.start({ RATE_LIMIT_READ: '100000' });
  folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  // The program has no credentials, and takes the address that it is given for that of the server.
  proxy = createServer((received, answer) => {
    const own = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const headers = {
      ...received.headers,
      authorization: `Bearer ${validKey}`,
      ...(received.headers.origin === own ? { origin: 'http://localhost' } : {}),
    };
    const sent = forward(`${gateway.url}${received.url}`, { method: received.method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    sent.once('error', () => answer.destroy());
    received.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.each(revisions)('the conformance suite of the protocol, in revision %s', (revision) => {
  it('passes, but for what is not offered', async () => {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
    const options = ['--suite', 'all', '--spec-version', revision, '--expected-failures', failuresOf(revision)];
    const run = promisify(execFile)(process.execPath, [program, 'server', '--url', url, ...options, '-o', folder]);
    const { code, stdout } = await run.then(
      (ended) => ({ code: 0, stdout: ended.stdout }),
      (failed: { readonly code?: unknown; readonly stdout?: string }) => ({
        code: failed.code,
        stdout: failed.stdout ?? '',
      }),
    );
    const summary = stdout.slice(stdout.indexOf('=== SUMMARY ==='));
    expect({ code, summary }).toEqual({ code: 0, summary });
    for (const part of ['✓ dns-rebinding-protection', ...partial[revision]]) expect(summary).toContain(part);
  });

  it('has no more exceptions than before', async () => {
    const listed = (await readFile(failuresOf(revision), 'utf8')).match(/^ {2}- /gm) ?? [];
    expect(listed.length).toBe(mostFailures[revision]);
  });
});
