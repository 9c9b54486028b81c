import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gatewayRoutes } from '../routes/routes.js';
import { RunningGateway } from '../test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(async () => {
  gateway = new RunningGateway();
  await gateway.start();
});
afterEach(() => gateway.stop());

describe('/llms.txt', () => {
  const read = async (): Promise<Response> => gateway.fetch('/llms.txt', {}, '');

  it('is a text without a credential, in the form of llmstxt.org: a title, then a summary', async () => {
    const response = await read();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await response.text()).toMatch(/^# \S.*\n\n> \S/);
  });

  it('leads nowhere that is not there: every link is answered', async () => {
    const links = [...(await (await read()).text()).matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => new URL(url));
    expect(links.length).toBeGreaterThan(2);
    for (const { origin, pathname } of links) {
      expect([origin, pathname, (await gateway.fetch(pathname, {}, '')).status]).toEqual([
        'http://localhost',
        pathname,
        200,
      ]);
    }
  });

  it('names requests that there are routes for, and no others', async () => {
    const named = [...(await (await read()).text()).matchAll(/`(GET|POST) (\/[^?`]*)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    const routes = new Set(gatewayRoutes.map(({ method, path }) => `${method} ${path}`));
    expect(named.length).toBeGreaterThan(7);
    expect(named.filter((name) => !routes.has(name))).toEqual([]);
  });
});
