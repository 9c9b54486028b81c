import { describe, expect, it } from '@jest/globals';
import { commonEnvSpec, DEFAULT_SHUTDOWN_TIMEOUT_MS } from '@capability-router/service-kit';
import { loadGatewayConfig } from './gateway-env.js';

describe("the gateway's configuration", () => {
  it('has the documented limits by default and trusts no proxy', () => {
    const config = loadGatewayConfig({});
    expect(config.rateLimits).toMatchObject({ discover: 120, inspect: 120, probe: 120, call: 200, read: 600 });
    expect(config.trustedProxies).toEqual([]);
    expect(config.bodyLimitBytes).toBe(1_048_576);
    expect(config.redis).toBeUndefined();
    expect(config.externalIssuers).toEqual([]);
  });

  it('lets a call that is under way end when the gateway is stopped', () => {
    const drainMs = commonEnvSpec.SHUTDOWN_DRAIN_MS.default ?? 0;
    expect(DEFAULT_SHUTDOWN_TIMEOUT_MS).toBeGreaterThan(loadGatewayConfig({}).callTimeoutMs + drainMs);
  });

  it('refuses values it cannot keep to, naming the variable', () => {
    expect(() => loadGatewayConfig({ RATE_LIMIT_CALL: '-1' })).toThrow(/RATE_LIMIT_CALL: must be a whole number/);
    expect(() => loadGatewayConfig({ CREDENTIAL_CACHE_MS: '60000' })).toThrow(/CREDENTIAL_CACHE_MS/);
    expect(() => loadGatewayConfig({ TRUSTED_PROXIES: '10.0.0.0/33' })).toThrow(/TRUSTED_PROXIES: "10.0.0.0\/33"/);
    expect(() => loadGatewayConfig({ TRUSTED_PROXIES: 'proxy.example' })).toThrow(/TRUSTED_PROXIES/);
    expect(() => loadGatewayConfig({ EXTERNAL_ISSUERS: '{"acme":{}}' })).toThrow(/EXTERNAL_ISSUERS: "iss" of "acme"/);
    expect(() => loadGatewayConfig({ MCP_PUBLISHED_TOOLS: 'a.b.c.v1,x' })).toThrow(
      /MCP_PUBLISHED_TOOLS: "x" is no tool id/,
    );
    const tools = Array.from({ length: 201 }, (_, index) => `a.b.c.v${index + 1}`).join(',');
    expect(() => loadGatewayConfig({ MCP_PUBLISHED_TOOLS: tools })).toThrow(/has 201 tools, and at most 200 fit/);
    for (const origin of ['https://a.example/', 'a.example', 'https://a.example:443', 'https://A.example'])
      expect(() => loadGatewayConfig({ MCP_ALLOWED_ORIGINS: origin })).toThrow(
        /MCP_ALLOWED_ORIGINS: ".*" is no origin/,
      );
  });

  it('takes origins of pages and of editors, and each tool once', () => {
    const origins = 'https://a.example,http://localhost:6274,vscode-webview://x';
    const config = loadGatewayConfig({ MCP_ALLOWED_ORIGINS: origins, MCP_PUBLISHED_TOOLS: 'a.b.c.v1,a.b.c.v1' });
    expect(config.mcpAllowedOrigins).toEqual(origins.split(','));
    expect(config.mcpPublishedTools).toEqual(['a.b.c.v1']);
  });
});
