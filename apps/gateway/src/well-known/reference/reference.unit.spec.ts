import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway } from '../../test-support/running-gateway.js';
import { ASSETS_PATH, referencePages } from './page.js';

const { resolve } = createRequire(import.meta.url);

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
});
afterEach(() => gateway.stop());

/** The answer to a client that does not unpack by itself. */
const plainly = (path: string, headers: Record<string, string>): Promise<{ zipped: boolean; body: Buffer }> =>
  new Promise((done, failed) => {
    httpRequest(new URL(path, gateway.url), { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        done({ zipped: response.headers['content-encoding'] === 'gzip', body: Buffer.concat(parts) }),
      );
    })
      .on('error', failed)
      .end();
  });

describe.each(Object.entries(referencePages))('the page at %s', (path, { document }) => {
  it('needs no credential, runs nothing that is not ours, and asks no other host', async () => {
    const response = await gateway.fetch(path, {}, '');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = response.headers.get('content-security-policy') ?? '';
    const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1));
    expect([...new Set(sources)].sort()).toEqual(["'none'", "'self'", 'data:']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    const page = await response.text();
    expect(page).not.toMatch(/https?:|<script>|<style|style=| on\w+=/);
    const links = [...page.matchAll(/(?:src|href|data-document)="(\/[^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining([document, `${ASSETS_PATH}/start.js`]));
    for (const link of links) expect([link, (await gateway.fetch(link, {}, '')).status]).toEqual([link, 200]);
  });
});

describe('the assets of the reference', () => {
  const bundle = `${ASSETS_PATH}/swagger-ui-bundle.js`;
  const file = readFileSync(resolve('swagger-ui-dist/swagger-ui-bundle.js'));

  it('are those of the package, packed for whoever takes that', async () => {
    const packed = await plainly(bundle, { 'accept-encoding': 'br, gzip' });
    expect([packed.zipped, gunzipSync(packed.body).equals(file)]).toEqual([true, true]);
    for (const encoding of ['identity', 'gzip;q=0']) {
      const plain = await plainly(bundle, { 'accept-encoding': encoding });
      expect([encoding, plain.zipped, plain.body.equals(file)]).toEqual([encoding, false, true]);
    }
  });

  it('are not sent again to who has them', async () => {
    const first = await gateway.fetch(bundle, {}, '');
    const etag = first.headers.get('etag') ?? '';
    const again = await gateway.fetch(bundle, { headers: { 'if-none-match': etag } }, '');
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await gateway.fetch(bundle, { headers: { 'if-none-match': '"other"' } }, '');
    expect(other.status).toBe(200);
  });

  it('are no door to other files', async () => {
    for (const name of ['swagger-ui-bundle.js.map', 'package.json', '../package.json', '..%2f..%2fpackage.json']) {
      expect([name, (await gateway.fetch(`${ASSETS_PATH}/${name}`, {}, '')).status]).toEqual([name, 404]);
    }
  });
});
