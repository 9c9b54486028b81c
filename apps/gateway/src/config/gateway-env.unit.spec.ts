import { describe, expect, it } from '@jest/globals';
import { loadGatewayConfig } from './gateway-env.js';

describe("the gateway's configuration", () => {
  it('has the documented limits by default and trusts no proxy', () => {
    const config = loadGatewayConfig({});
    expect(config.rateLimits).toMatchObject({ discover: 120, inspect: 120, probe: 120, call: 200, read: 600 });
    expect(config.trustedProxies).toEqual([]);
    expect(config.bodyLimitBytes).toBe(1_048_576);
    expect(config.redisUrl).toBeUndefined();
  });

  it('refuses values it cannot keep to, naming the variable', () => {
    expect(() => loadGatewayConfig({ RATE_LIMIT_CALL: '-1' })).toThrow(/RATE_LIMIT_CALL: must be a whole number/);
    expect(() => loadGatewayConfig({ CREDENTIAL_CACHE_MS: '60000' })).toThrow(/CREDENTIAL_CACHE_MS/);
    expect(() => loadGatewayConfig({ TRUSTED_PROXIES: '10.0.0.0/33' })).toThrow(/TRUSTED_PROXIES: "10.0.0.0\/33"/);
    expect(() => loadGatewayConfig({ TRUSTED_PROXIES: 'proxy.example' })).toThrow(/TRUSTED_PROXIES/);
  });
});
