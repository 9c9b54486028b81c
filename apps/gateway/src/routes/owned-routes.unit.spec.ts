import { describe, expect, it } from '@jest/globals';
import { API_PREFIX } from '@capability-router/contracts';
import { owned } from '../test-support/owned-routes.js';
import { gatewayRoutes } from './routes.js';

/** Routes whose parameter is no id of an account, and why. */
const notOwned: Readonly<Record<string, string>> = {
  'GET /capabilities/:capabilityId': 'the contracts of capabilities belong to nobody',
  'GET /auth/provider-credentials/:providerId': 'each account reads its own credential of a provider',
  'PUT /auth/provider-credentials/:providerId': 'each account writes its own credential of a provider',
  'DELETE /auth/provider-credentials/:providerId': 'each account removes its own credential of a provider',
};

describe('the routes that acceptance asks for with ids of another account', () => {
  it('are all that take the id of something an account owns', () => {
    const withIds = gatewayRoutes.filter(
      ({ auth, path }) => auth === 'api_key' && path.startsWith(`${API_PREFIX}/`) && path.includes(':'),
    );
    const names = withIds.map(({ method, path }) => `${method} ${path.slice(API_PREFIX.length)}`);
    const listed = [...owned.map(({ method, path }) => `${method} ${path}`), ...Object.keys(notOwned)];
    expect(listed.sort()).toEqual(names.sort());
  });
});
