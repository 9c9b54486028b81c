import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { startConnectProxy, type ConnectProxy } from '../test-support/connect-proxy.js';
import { EgressClient } from './egress-client.js';
import type { EgressSettings } from './egress-settings.js';

let server: Server;
let proxy: ConnectProxy;
let port = 0;
let ca = '';
const clients: EgressClient[] = [];

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'api.example' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'api.example' }] }],
  });
  ca = cert;
  server = createServer({ key, cert }, (request, response) => {
    response.end(
      JSON.stringify({
        host: request.headers.host,
        servername: (request.socket as TLSSocket & { servername?: string }).servername,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  proxy = await startConnectProxy(() => port);
});
afterEach(() => Promise.all(clients.splice(0).map((client) => client.destroy())));
afterAll(async () => {
  await proxy.close();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

function get(host: string, settings: EgressSettings) {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const client = new EgressClient({ allowNetworks: ['127.0.0.1/32'] }, { resolve, ...settings });
  clients.push(client);
  return client.request(`https://${host}:${port}/`, { deadlineMs: 30_000 });
}

const proxyUrl = (): string => `http://user:sesame@127.0.0.1:${proxy.port}`;

describe('over TLS', () => {
  it.each([
    ['directly', () => ({})],
    ['through a proxy that is given the address', () => ({ proxyUrl: proxyUrl() })],
    ['through a proxy that resolves names', () => ({ proxyUrl: proxyUrl(), proxyResolvesNames: true })],
  ])('%s, the certificate is asked for and checked by name, and not by the address', async (_name, settings) => {
    const { status, body } = await get('api.example', { ca, ...settings() });
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toEqual({ host: `api.example:${port}`, servername: 'api.example' });
    await expect(get('other.example', { ca, ...settings() })).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    await expect(get('api.example', settings())).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});
