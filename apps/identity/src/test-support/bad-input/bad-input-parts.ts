import { TOKEN_EXCHANGE_GRANT, type AccountAssertion } from '@capability-router/contracts';
import { dataOf, type ClaimingIdentity } from '../claiming-identity.js';
import { givenConsent } from '../given-consent.js';

const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

export type BadInputParts = Awaited<ReturnType<typeof openParts>>;

/** One of everything that the routes are about: ids, keys and secrets. */
export async function openParts(claiming: ClaimingIdentity, nowMs: number) {
  const ask = async (method: 'POST' | 'PUT', url: string, body: object): Promise<Record<string, unknown>> =>
    dataOf(await claiming.identity.call({ method, url, body, account: admin }));
  const { claimCode } = await claiming.register();
  const opened = await ask('POST', '/admin/v1/accounts', { kind: 'formal', name: 'owner', initial_credits: 0 });
  const account = String(opened['account_id']);
  const keys = `/admin/v1/accounts/${account}/api-keys`;
  const issued = await ask('POST', keys, { name: 'own', scopes: ['call', 'read', 'manage'] });
  // The client that its programs depend on is not changed.
  const { api_key_id: spare } = await ask('POST', keys, { name: 'spare' });
  const { project_id: project } = await ask('POST', `/admin/v1/accounts/${account}/projects`, { name: 'research' });
  await ask('PUT', '/admin/v1/rate-limit-plans/team', { per_minute: {} });
  const client = { account_id: account, scopes: ['call', 'read'] };
  const grants = ['client_credentials', TOKEN_EXCHANGE_GRANT];
  const confidential = await ask('POST', '/admin/v1/oauth-clients', {
    ...client,
    name: 'batch',
    grant_types: grants,
  });
  const kind = { token_endpoint_auth_method: 'none' };
  const terminal = await ask('POST', '/admin/v1/oauth-clients', { ...client, name: 'terminal', ...kind });
  const whose = { clientId: String(terminal['client_id']), accountId: account, nowMs };
  const { familyId } = await givenConsent(claiming.identity.database.pool, whose);
  const subject = { account_id: account, issuer: 'acme', subject: 'anna' };
  const { external_subject_id: link } = await ask('POST', '/admin/v1/external-subjects', subject);
  return {
    claimCode,
    account,
    key: String(issued['api_key']),
    keyId: String(issued['api_key_id']),
    spare: String(spare),
    project: String(project),
    client: String(confidential['client_id']),
    secret: String(confidential['client_secret']),
    terminal: String(terminal['client_id']),
    consent: familyId,
    link: String(link),
  };
}
