import type { AccountAssertion } from '@capability-router/contracts';
import type { Answer, RunningIdentity } from './running-identity.js';

export const operator: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  apiKeyId: '018f0000-0000-7000-8000-000000000001',
  scopes: ['admin'],
};
/** Where the operator's requests come from. */
export const ADDRESS = '192.0.2.77';

/** The security log of an identity, as an operator reads it, and accounts with a key for it to tell of. */
export class ReadSecurityLog {
  constructor(private readonly identity: RunningIdentity) {}

  /** The key by which the operator asks stands: no other one may give keys. */
  async openOperator(): Promise<void> {
    const { accountId, apiKeyId } = operator;
    await this.identity.database.owner.query(
      `INSERT INTO accounts (account_id, kind, status, name, opened_at) VALUES ($1, 'formal', 'active', 'operator', now())`,
      [accountId],
    );
    await this.identity.database.owner.query(
      `INSERT INTO api_keys (api_key_id, account_id, key_hash, masked_value, name, scopes, issued_at)
       VALUES ($1, $2, sha256('operator'), 'sk-', 'operator', '{admin}', now())`,
      [apiKeyId, accountId],
    );
  }

  async openAccount(): Promise<{ readonly accountId: string; readonly keyId: string }> {
    const opened = await this.ask('POST', 'accounts', { kind: 'formal', name: 'Ada Lovelace', initial_credits: 0 });
    const accountId = String(opened['account_id']);
    const issued = await this.ask('POST', `accounts/${accountId}/api-keys`, { name: 'laptop of Ada' });
    return { accountId, keyId: String(issued['api_key_id']) };
  }

  async list(query: string): Promise<Record<string, unknown>[]> {
    return (await this.ask('GET', `security-log?${query}`))['items'] as Record<string, unknown>[];
  }

  verification(accountId: string): Promise<Record<string, unknown>> {
    return this.ask('GET', `security-log/verification?account_id=${accountId}`);
  }

  private async ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>> {
    const request = { method, url: `/admin/v1/${path}`, account: operator, clientAddress: ADDRESS };
    const answer: Answer = await this.identity.call({ ...request, ...(body === undefined ? {} : { body }) });
    return answer.body['data'] as Record<string, unknown>;
  }
}
