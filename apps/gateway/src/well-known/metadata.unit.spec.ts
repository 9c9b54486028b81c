import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningGateway, unknownKey } from '../test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

describe('the metadata of OAuth', () => {
  it('names the issuers that are trusted beside the deployment itself', async () => {
    const acme = { iss: 'https://login.acme.example/', jwks_url: 'https://login.acme.example/keys' };
    await gateway.start({ EXTERNAL_ISSUERS: JSON.stringify({ acme }) });
    const response = await gateway.fetch('/.well-known/oauth-protected-resource/api/v1', {}, '');
    expect(await response.json()).toMatchObject({
      authorization_servers: ['http://localhost', 'https://login.acme.example/'],
    });
  });

  it('leads from a refused request to the endpoints that there are', async () => {
    await gateway.start();
    const refused = await gateway.post('/api/v1/tools/execute', {}, unknownKey);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const resourceUrl = new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
    const resource = (await (await gateway.fetch(resourceUrl.pathname, {}, '')).json()) as Record<string, unknown>;
    expect(resource).toMatchObject({
      resource: 'http://localhost/api/v1',
      authorization_servers: ['http://localhost'],
    });

    const response = await gateway.fetch('/.well-known/oauth-authorization-server', {}, '');
    const server = (await response.json()) as Record<string, string>;
    expect(server['issuer']).toBe('http://localhost');
    gateway.identity.behave = (_request, response) => response.writeHead(204).end();
    for (const member of [
      'device_authorization_endpoint',
      'token_endpoint',
      'introspection_endpoint',
      'revocation_endpoint',
    ]) {
      const { pathname } = new URL(server[member] ?? '');
      const body = 'grant_type=x';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await gateway.fetch(pathname, { method: 'POST', body, headers }, '')).status).toBe(204);
    }
    expect(server['grant_types_supported']).toContain('urn:ietf:params:oauth:grant-type:device_code');
    expect(server['token_endpoint_auth_methods_supported']).toContain('none');
    expect(server['introspection_endpoint_auth_methods_supported']).not.toContain('none');
  });
});
