import { ConfigError, type ExternalIssuer } from '@capability-router/service-kit/config';

/** Throws `ConfigError` where somebody else is said to sign in the name of this deployment. */
export function refuseOwnIssuer(issuers: readonly ExternalIssuer[], publicUrl: string): void {
  const own = issuers.find(({ iss }) => iss === publicUrl);
  if (own === undefined) return;
  throw new ConfigError({ EXTERNAL_ISSUERS: `"iss" of "${own.name}" is PUBLIC_URL, by which this deployment signs` });
}
