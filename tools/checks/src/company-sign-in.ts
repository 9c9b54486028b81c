import { freePorts } from '@capability-router/tools-stack';

export interface CompanySignIn {
  /** Settings of identity and of the gateway. */
  readonly settings: Readonly<Record<string, string>>;
  /** For the specs. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * An issuer on this machine that a deployment under test trusts. Nobody listens there until the guide that brings its own
 * issuer starts one.
 */
export async function companySignIn(): Promise<CompanySignIn> {
  const [port] = await freePorts(1);
  const iss = `http://127.0.0.1:${port}`;
  const acme = { iss, jwks_url: `${iss}/keys`, open_accounts: { welcome_credits: 10 } };
  return {
    settings: { EXTERNAL_ISSUERS: JSON.stringify({ acme }), EXTERNAL_ISSUERS_LOOPBACK_HTTP: 'true' },
    env: { ACCEPTANCE_ISSUER: iss },
  };
}
