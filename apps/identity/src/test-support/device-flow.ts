import type { AccountAssertion } from '@capability-router/contracts';
import type { ManualClock } from '@capability-router/kernel';
import { ClaimingIdentity } from './claiming-identity.js';
import type { Answer, RunningIdentity } from './running-identity.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const UNCAPPED = '1000000';
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

export interface Asked {
  readonly device_code: string;
  readonly user_code: string;
}

/** The value of the hidden field by which a page of consent says who has signed in. */
export const statementIn = ({ text }: Answer): string => /name="signed_in" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** Identity with a mail server, a public client, and somebody who may consent: what the program sends, and what they do. */
export class DeviceFlow {
  clientId = '';
  /** The account of whoever consents, its address, and a key of it. */
  person = '';
  email = '';
  key = '';
  keyId = '';
  private people = 0;
  private addresses = 0;

  private constructor(private readonly claiming: ClaimingIdentity) {}

  static async start(clock: ManualClock): Promise<DeviceFlow> {
    const env = {
      DEVICE_MAILS_PER_ADDRESS_PER_DAY: UNCAPPED,
      DEVICE_MAILS_PER_NETWORK_PER_DAY: UNCAPPED,
      DEVICE_WRONG_CODES_PER_NETWORK_PER_DAY: UNCAPPED,
    };
    return new DeviceFlow(await ClaimingIdentity.start(clock, env));
  }

  stop(): Promise<void> {
    return this.claiming.stop();
  }

  get identity(): RunningIdentity {
    return this.claiming.identity;
  }

  /** Another person, with a key that has `call` and `read`, and another client, which may ask for both. */
  async renew(): Promise<void> {
    this.people += 1;
    this.email = `person${this.people}@example.org`;
    this.person = await this.opened({ email: this.email });
    this.clientId = await this.registered(await this.opened({}));
    const { api_key: key, api_key_id: keyId } = await this.issued(['call', 'read']);
    [this.key, this.keyId] = [key, keyId];
  }

  async ask<T>(method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<T> {
    const more = body === undefined ? {} : { body };
    return (await this.identity.call({ method, url, account: admin, ...more })).body['data'] as T;
  }

  async opened(more: object): Promise<string> {
    const body = { kind: 'formal', name: 'Test', initial_credits: 0, ...more };
    return (await this.ask<{ account_id: string }>('POST', '/admin/v1/accounts', body)).account_id;
  }

  async registered(owner: string): Promise<string> {
    const body = { account_id: owner, name: 'a <b>terminal</b>', scopes: ['call', 'read'] };
    const kind = { token_endpoint_auth_method: 'none' };
    const client = await this.ask<{ client_id: string }>('POST', '/admin/v1/oauth-clients', { ...body, ...kind });
    return client.client_id;
  }

  issued(scopes: readonly string[]): Promise<{ api_key: string; api_key_id: string }> {
    return this.ask('POST', `/admin/v1/accounts/${this.person}/api-keys`, { name: 'laptop', scopes });
  }

  post(path: string, form: Record<string, string>, clientAddress = '192.0.2.7'): Promise<Answer> {
    const url = `/api/v1/oauth/${path}`;
    return this.identity.call({ method: 'POST', url, form: { client_id: this.clientId, ...form }, clientAddress });
  }

  /** From an address of its own: an address may have so many that wait. */
  async asked(form: Record<string, string> = {}): Promise<Asked> {
    this.addresses += 1;
    const address = `198.18.${Math.floor(this.addresses / 250)}.${this.addresses % 250}`;
    const { status, body } = await this.post('device/authorize', form, address);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body as unknown as Asked;
  }

  poll(deviceCode: string): Promise<Answer> {
    return this.post('token', { grant_type: GRANT, device_code: deviceCode });
  }

  async pollError(deviceCode: string): Promise<unknown> {
    return (await this.poll(deviceCode)).body['error'];
  }

  page(path: string, form: Record<string, string>, clientAddress = '192.0.2.8'): Promise<Answer> {
    return this.identity.call({ method: 'POST', url: `/device${path}`, form, clientAddress });
  }

  withKey(userCode: string, apiKey = this.key): Promise<Answer> {
    return this.page('/key', { user_code: userCode, api_key: apiKey });
  }

  decide(consent: Answer, decision: string): Promise<Answer> {
    return this.page('/decision', { signed_in: statementIn(consent), decision });
  }

  /** Signs in with the key and approves. */
  async consent({ user_code: userCode }: Asked): Promise<void> {
    const { status, text } = await this.decide(await this.withKey(userCode), 'approve');
    if (status !== 200) throw new Error(text);
  }

  /** The code of the mail to `email` that comes after `before` others; undefined where it has none. */
  async mailedCode(email: string, before = 0): Promise<string | undefined> {
    return (await this.claiming.mailTo(email, before)).code;
  }

  async verify(credential: unknown): Promise<Record<string, unknown>> {
    const body = { credential };
    return (await this.identity.call({ method: 'POST', url: '/internal/credentials:verify', body })).body;
  }
}
