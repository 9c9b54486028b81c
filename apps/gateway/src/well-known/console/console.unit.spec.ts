import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway } from '../../test-support/running-gateway.js';
import { CONSOLE_ASSETS_PATH, CONSOLE_PATH, moduleNames } from './page.js';

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
});
afterEach(() => gateway.stop());

const read = (path: string, init: RequestInit = {}): Promise<Response> => gateway.fetch(path, init, '');

describe('the page of the console', () => {
  it('needs no credential, is kept nowhere, runs nothing that is not ours, and asks no other host', async () => {
    const response = await read(CONSOLE_PATH);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect((response.headers.get('content-security-policy') ?? '').split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      'img-src data:',
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(response.headers.get('set-cookie')).toBeNull();
    const page = await response.text();
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).not.toMatch(/https?:|<script>|<style|style=| on\w+=|<form|<input/);
    const links = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(moduleNames.length);
    for (const link of links) expect([link, (await read(link)).status]).toEqual([link, 200]);
  });

  it('tells whoever has no scripts what to do', async () => {
    expect(await (await read(CONSOLE_PATH)).text()).toMatch(
      /<noscript>.*needs scripts[^]*href="\/docs"[^]*<\/noscript>/,
    );
  });

  it('is found with a slash behind it, also by HEAD, and takes no other method', async () => {
    for (const method of ['GET', 'HEAD']) {
      const slash = await read(`${CONSOLE_PATH}/`, { method });
      expect([slash.status, slash.headers.get('location')]).toEqual([308, CONSOLE_PATH]);
    }
    const [head, page] = [await read(CONSOLE_PATH, { method: 'HEAD' }), await read(CONSOLE_PATH)];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'content-security-policy', 'cache-control'])
      expect([name, head.headers.get(name)]).toEqual([name, page.headers.get(name)]);
    for (const [path, method] of [
      [CONSOLE_PATH, 'POST'],
      [CONSOLE_PATH, 'DELETE'],
      [`${CONSOLE_PATH}/`, 'PUT'],
      [`${CONSOLE_ASSETS_PATH}/main.js`, 'POST'],
    ] as const) {
      const refused = await read(path, { method });
      expect([path, method, refused.status, refused.headers.get('allow')]).toEqual([path, method, 405, 'GET, HEAD']);
      expect(await refused.json()).toMatchObject({ code: 'method_not_allowed' });
    }
  });

  it('has one series in the metrics of requests, and its assets another', async () => {
    await read(CONSOLE_PATH);
    for (const name of [...moduleNames, 'none.js']) await read(`${CONSOLE_ASSETS_PATH}/${name}`);
    const routes = [...(await gateway.metrics.metrics()).matchAll(/route="(\/console[^"]*)"/g)].map(
      ([, route]) => route,
    );
    expect([...new Set(routes)].sort()).toEqual([CONSOLE_PATH, `${CONSOLE_ASSETS_PATH}/:name`]);
  });

  it('asks nothing of a service', async () => {
    for (const path of [CONSOLE_PATH, ...moduleNames.map((name) => `${CONSOLE_ASSETS_PATH}/${name}`)]) await read(path);
    expect([gateway.upstream.seen, gateway.identity.seen]).toEqual([[], []]);
  });
});

describe('the assets of the console', () => {
  it('are the script that the page begins with, all that it imports, and nothing else', () => {
    const reached = new Set(['main.js']);
    for (const name of reached) {
      const script = readFileSync(new URL(`../../../console/dist/${name}`, import.meta.url), 'utf8');
      for (const [, other = ''] of script.matchAll(/\bfrom '\.\/([^']+)'/g)) reached.add(other);
    }
    expect([...moduleNames].sort()).toEqual([...reached].sort());
  });

  it('touch nothing by which a text becomes markup, or a key stays behind', async () => {
    for (const name of moduleNames) {
      const response = await read(`${CONSOLE_ASSETS_PATH}/${name}`);
      expect([name, response.status, response.headers.get('content-type')]).toEqual([
        name,
        200,
        'text/javascript; charset=utf-8',
      ]);
      const script = await response.text();
      expect(script).not.toMatch(
        /https?:|innerHTML|outerHTML|insertAdjacentHTML|document\.write|localStorage|sessionStorage|\.cookie|sourceMappingURL/,
      );
    }
  });

  it('are asked for again with every page, and not sent again to who has them', async () => {
    for (const name of ['main.js', 'console.css']) {
      const first = await read(`${CONSOLE_ASSETS_PATH}/${name}`);
      expect([first.status, first.headers.get('cache-control'), first.headers.get('x-content-type-options')]).toEqual([
        200,
        'no-cache',
        'nosniff',
      ]);
      const etag = first.headers.get('etag') ?? '';
      const again = await read(`${CONSOLE_ASSETS_PATH}/${name}`, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const other = await read(`${CONSOLE_ASSETS_PATH}/${name}`, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).toBe(200);
    }
  });

  it('are no door to other files', async () => {
    for (const name of [
      'tsconfig.json',
      '__proto__',
      '.tsbuildinfo',
      'main.d.ts',
      '../page.js',
      '..%2fpage.js',
      'none.js',
    ]) {
      expect([name, (await read(`${CONSOLE_ASSETS_PATH}/${name}`)).status]).toEqual([name, 404]);
    }
  });
});
