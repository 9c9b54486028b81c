import { freePorts } from '@capability-router/tools-stack';

export interface CompanySignIn {
  /** Settings of identity and of the gateway. */
  readonly settings: Readonly<Record<string, string>>;
  /** For the specs. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Issuers on this machine that a deployment under test trusts. Nobody listens there until the guide that brings its own issuer
 * starts the one, and the spec of linked subjects the other.
 */
export async function companySignIn(): Promise<CompanySignIn> {
  const [iss, linking] = (await freePorts(2)).map((port) => `http://127.0.0.1:${port}`);
  const acme = { iss, jwks_url: `${iss}/keys`, open_accounts: { welcome_credits: 10 } };
  const globex = { iss: linking, jwks_url: `${linking}/keys` };
  return {
    settings: { EXTERNAL_ISSUERS: JSON.stringify({ acme, globex }), EXTERNAL_ISSUERS_LOOPBACK_HTTP: 'true' },
    env: { ACCEPTANCE_ISSUER: iss ?? '', ACCEPTANCE_LINKING_ISSUER: linking ?? '' },
  };
}
