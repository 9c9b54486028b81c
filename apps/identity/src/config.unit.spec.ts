import { ConfigError } from '@capability-router/service-kit';
import { describe, expect, it } from '@jest/globals';
import { loadIdentityConfig } from './config.js';

const env = { IDENTITY_DATABASE_URL: 'postgres://identity@127.0.0.1/capability_router_identity' };

describe('the configuration of identity', () => {
  it('has the documented defaults', () => {
    const { policy, demoCredits } = loadIdentityConfig(env);
    expect(policy).toEqual({
      welcomeBonus: 1_000_000_000n,
      trialCredits: 50_000_000n,
      trialDays: 7,
      maxCallCredits: 5_000_000n,
      perAddressPerDay: 5,
      perNetworkPerDay: 20,
      dailyBudget: 5_000_000_000n,
    });
    expect(demoCredits).toBe(1_000_000_000n);
  });

  it('names the variable that is missing or wrong', () => {
    expect(() => loadIdentityConfig({})).toThrow(/IDENTITY_DATABASE_URL/);
    expect(() => loadIdentityConfig({ ...env, TRIAL_DAYS: '0' })).toThrow(/TRIAL_DAYS/);
    expect(() => loadIdentityConfig({ ...env, TRIAL_CREDITS: '-1' })).toThrow(ConfigError);
    expect(() => loadIdentityConfig({ ...env, DEMO_CREDITS: '1.0000001' })).toThrow(/DEMO_CREDITS/);
    expect(() => loadIdentityConfig({ ...env, EXTERNAL_ISSUERS: '[]' })).toThrow(/EXTERNAL_ISSUERS/);
  });
});
