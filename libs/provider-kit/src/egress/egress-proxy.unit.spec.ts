import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startConnectProxy, type ConnectProxy } from '../test-support/connect-proxy.js';
import { sendJson, startStub, type StubServer } from '../test-support/stub-server.js';
import { EgressClient } from './egress-client.js';
import type { EgressSettings } from './egress-settings.js';
import type { Resolve } from './resolve.js';

let proxy: ConnectProxy;
let server: StubServer;
let proxyUrl = '';
const clients: EgressClient[] = [];

beforeAll(async () => {
  server = await startStub((request, response) => sendJson(response, { host: request.headers.host }));
  proxy = await startConnectProxy(() => server.port);
  proxyUrl = `http://user:sesame@127.0.0.1:${proxy.port}`;
});
afterEach(async () => {
  proxy.asked.length = 0;
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
});
afterAll(() => Promise.all([server.close(), proxy.close()]));

const resolvingTo =
  (address: string): Resolve =>
  () =>
    Promise.resolve([{ address, family: 4 }]);

function get(url: string, settings: EgressSettings) {
  const client = new EgressClient({ allowHttp: true }, { proxyUrl, ...settings });
  clients.push(client);
  return client.request(url, { deadlineMs: 30_000 });
}

describe('through a proxy', () => {
  it('the address that was vetted is asked for, with the credentials of the proxy and the host of the provider', async () => {
    const answer = await get('http://api.example/', { resolve: resolvingTo('93.184.216.34') });
    expect(JSON.parse(answer.body.toString())).toEqual({ host: 'api.example' });
    const authorization = `Basic ${Buffer.from('user:sesame').toString('base64')}`;
    expect(proxy.asked).toEqual([{ authority: '93.184.216.34:80', authorization }]);
  });

  it('an inner address is not asked for, named or literal', async () => {
    const refused = { code: 'ERR_EGRESS_REFUSED', refusal: 'address' };
    await expect(get('http://inner.example/', { resolve: resolvingTo('10.0.0.1') })).rejects.toMatchObject(refused);
    for (const proxyResolvesNames of [true, false]) {
      for (const host of ['169.254.169.254', '[::1]', '2130706433']) {
        await expect(get(`http://${host}/`, { proxyResolvesNames })).rejects.toMatchObject(refused);
      }
    }
    expect(proxy.asked).toEqual([]);
  });

  it('a proxy that resolves names is asked for the name', async () => {
    const noResolver: Resolve = () => Promise.reject(new Error('nobody resolves here'));
    const answer = await get('http://api.example:8080/', { proxyResolvesNames: true, resolve: noResolver });
    expect(answer.status).toBe(200);
    expect(proxy.asked).toMatchObject([{ authority: 'api.example:8080' }]);
  });

  it('that wants other credentials, or is not there, nothing is reached', async () => {
    const resolve = resolvingTo('93.184.216.34');
    const failed = { code: 'ERR_EGRESS_PROXY' };
    const anonymous = proxyUrl.replace('user:sesame@', '');
    await expect(get('http://api.example/', { resolve, proxyUrl: anonymous })).rejects.toMatchObject(failed);
    await expect(get('http://api.example/', { resolve, proxyUrl: 'http://127.0.0.1:1024' })).rejects.toMatchObject(
      failed,
    );
    expect(server.requests.length).toBe(2);
  });
});
