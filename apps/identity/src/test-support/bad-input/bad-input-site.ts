import { randomUUID } from 'node:crypto';
import { DEVICE_CODE_GRANT, TOKEN_EXCHANGE_GRANT, type AccountAssertion } from '@capability-router/contracts';
import type { ManualClock } from '@capability-router/kernel';
import { ClaimingIdentity } from '../claiming-identity.js';
import { statementIn } from '../device-flow.js';
import type { Answer } from '../running-identity.js';
import { openParts, type BadInputParts } from './bad-input-parts.js';
import { pathOf, type IdentityRoute } from './routes-of.js';

const UNCAPPED = '1000000';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const EMAIL = 'somebody@example.org';
const RESEND_MS = 1_000;

const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

/** A form that is answered, and whose parameters are then spoilt one by one. */
export interface GoodForm {
  /** As `nameOf` has it. */
  readonly route: string;
  readonly grant?: string;
  /** `name=value`, encoded; what can be used once is made anew. */
  readonly parameters: () => Promise<string[]>;
  readonly isAnswered: (answer: Answer) => boolean;
}

const encoded = (form: Readonly<Record<string, string>>): string[] =>
  Object.entries(form).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);

/** Identity without caps, with one of everything that its routes are about. */
export class BadInputSite {
  private refreshToken = '';
  private addresses = 0;

  private constructor(
    private readonly claiming: ClaimingIdentity,
    private readonly clock: ManualClock,
    private readonly parts: BadInputParts,
  ) {}

  static async start(clock: ManualClock): Promise<BadInputSite> {
    const claiming = await ClaimingIdentity.start(clock, {
      CLAIM_RESEND_SECONDS: String(RESEND_MS / 1_000),
      CLAIM_CODES_PER_DAY: UNCAPPED,
      CLAIM_TRIES_PER_DAY: UNCAPPED,
      CLAIM_MAILS_PER_EMAIL_PER_DAY: UNCAPPED,
      DEVICE_MAILS_PER_EMAIL_PER_DAY: UNCAPPED,
      DEVICE_MAILS_PER_ADDRESS_PER_DAY: UNCAPPED,
      DEVICE_MAILS_PER_NETWORK_PER_DAY: UNCAPPED,
      DEVICE_WRONG_CODES_PER_ADDRESS_PER_DAY: UNCAPPED,
      DEVICE_WRONG_CODES_PER_NETWORK_PER_DAY: UNCAPPED,
      DEVICE_OPEN_CODES_PER_CLIENT: '10000',
      DEVICE_OPEN_CODES_PER_ADDRESS: '1000',
      MAIL_MAX_WAITING: '100000',
      EXTERNAL_ISSUERS: JSON.stringify({
        acme: { iss: 'https://acme.example', jwks_url: 'https://acme.example/keys' },
      }),
    });
    const parts = await openParts(claiming, clock.nowMs());
    const site = new BadInputSite(claiming, clock, parts);
    await site.signIn();
    return site;
  }

  stop(): Promise<void> {
    return this.claiming.stop();
  }

  /** A value of the member that there is, where one that only looks right would be refused. */
  known(member: string): unknown {
    const { claimCode: claim_code, account: account_id, project: project_id } = this.parts;
    const known: Readonly<Record<string, unknown>> = {
      claim_code,
      account_id,
      project_id,
      email: EMAIL,
      plan: 'team',
      issuer: 'acme',
      // A report of before is not looked at again.
      entryId: randomUUID(),
    };
    return known[member];
  }

  /** The answer to the smallest good body, where that is no success. */
  acceptableOf(name: string): readonly number[] | undefined {
    return {
      // Its code is in a mail.
      'POST /api/v1/agent/claim-verify': [422],
      // The token can come in the header, so the body may be without it, and not both.
      'POST /api/v1/auth/verify-token': [422],
      'POST /internal/credentials::verify': [422],
    }[name];
  }

  /** To the route with parameters that there are. */
  send(
    route: IdentityRoute,
    body: string | undefined,
    headers: Readonly<Record<string, string>> = {},
    query = '',
  ): Promise<Answer> {
    const { account, spare, project, client, consent, link } = this.parts;
    const values: Readonly<Record<string, string>> = {
      accountId: account,
      accountIdAndAction: `${account}:resume`,
      apiKeyId: spare,
      apiKeyIdAndAction: `${spare}:rotate`,
      projectId: project,
      clientId: client,
      consentId: consent,
      externalSubjectId: link,
      name: 'team',
    };
    const valueOf = (parameter: string): string => {
      const value = values[parameter];
      if (value === undefined) throw new Error(`say what :${parameter} of ${route.path} is`);
      return value;
    };
    return this.request(route, pathOf(route, valueOf) + query, body, headers);
  }

  /** To the route with `text`, encoded, for each of its parameters. */
  sendTo(route: IdentityRoute, text: string, body: string | undefined): Promise<Answer> {
    return this.request(
      route,
      pathOf(route, () => text),
      body,
      {},
    );
  }

  async post(route: IdentityRoute, form: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const type = headers['content-type'] ?? 'application/x-www-form-urlencoded';
    const answer = await this.request(route, pathOf(route, String), form, { 'content-type': type });
    const { refresh_token: next } = answer.body;
    if (typeof next === 'string') this.refreshToken = next;
    return answer;
  }

  private request(
    { method, path }: IdentityRoute,
    url: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const { account, keyId } = this.parts;
    const owner = {
      accountId: account,
      accountKind: 'formal',
      credentialType: 'api_key',
      apiKeyId: keyId,
      scopes: ['call', 'read', 'manage'],
    } as const satisfies AccountAssertion;
    this.addresses += 1;
    const clientAddress = `198.18.${Math.floor(this.addresses / 250) % 250}.${this.addresses % 250}`;
    const caller = path.startsWith('/admin/') ? admin : path.startsWith('/api/v1/auth/') ? owner : undefined;
    if (path === '/api/v1/agent/claim') this.clock.advanceMs(RESEND_MS);
    return this.claiming.identity.call({
      method,
      url,
      ...(body === undefined ? {} : { body }),
      ...(caller === undefined ? {} : { account: caller }),
      clientAddress,
      headers,
    });
  }

  /** One for each route that reads a form, and of the token endpoint one for each grant. */
  get forms(): readonly GoodForm[] {
    const { client, secret, terminal, key } = this.parts;
    const login = { client_id: client, client_secret: secret };
    const token = 'POST /api/v1/oauth/token';
    const isDone = ({ status }: Answer): boolean => status === 200;
    const grant = (grantType: string, more: () => Promise<Record<string, string>>, isAnswered = isDone): GoodForm => ({
      route: token,
      grant: grantType,
      parameters: async () => encoded({ grant_type: grantType, ...(await more()) }),
      isAnswered,
    });
    const form = (path: string, more: () => Promise<Record<string, string>>): GoodForm => ({
      route: `POST ${path}`,
      parameters: async () => encoded(await more()),
      isAnswered: isDone,
    });
    const waiting = this.once(() => this.asked());
    return [
      grant('client_credentials', async () => ({ ...login, scope: 'read' })),
      grant('refresh_token', async () => ({ client_id: terminal, refresh_token: this.refreshToken, scope: 'read' })),
      grant(
        DEVICE_CODE_GRANT,
        async () => ({ client_id: terminal, device_code: (await waiting()).deviceCode }),
        ({ body }) => ['authorization_pending', 'slow_down'].includes(String(body['error'])),
      ),
      grant(TOKEN_EXCHANGE_GRANT, async () => ({
        ...login,
        subject_token: await this.subjectToken(),
        subject_token_type: ACCESS_TOKEN,
        scope: 'call',
        tool_ids: 'formula.expression.evaluate.v1',
        provider_ids: 'formula',
        run_id: 'run-1',
        model: 'a model',
        max_credits: '5',
        expires_in: '60',
      })),
      form('/api/v1/oauth/device/authorize', async () => ({ client_id: terminal, scope: 'read' })),
      form('/api/v1/oauth/introspect', async () => ({ ...login, token: await this.subjectToken() })),
      form('/api/v1/oauth/revoke', async () => ({ ...login, token: await this.mint() })),
      form('/device', async () => ({ user_code: (await waiting()).userCode })),
      // A code has ten tries of keys.
      form('/device/key', async () => ({ user_code: (await this.asked()).userCode, api_key: key })),
      form('/device/email', async () => ({ user_code: (await this.asked()).userCode, email: EMAIL })),
      {
        ...form('/device/email-code', async () => ({
          user_code: (await waiting()).userCode,
          email: EMAIL,
          code: '000000',
        })),
        // The right code is in a mail.
        isAnswered: ({ status }) => status === 400,
      },
      form('/device/decision', async () => ({ signed_in: await this.statement(), decision: 'deny' })),
    ];
  }

  private once<T>(make: () => Promise<T>): () => Promise<T> {
    let made: Promise<T> | undefined;
    return () => (made ??= make());
  }

  private async ask(path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
    const reads = 'form' as const;
    return this.post({ method: 'POST', path, reads }, encoded(form).join('&'));
  }

  private async mint(): Promise<string> {
    const { client: client_id, secret: client_secret } = this.parts;
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    return String((await this.ask('/api/v1/oauth/token', form)).body['access_token']);
  }

  private readonly subjectToken = this.once(() => this.mint());

  private async asked(): Promise<{ deviceCode: string; userCode: string }> {
    const { body } = await this.ask('/api/v1/oauth/device/authorize', { client_id: this.parts.terminal });
    return { deviceCode: String(body['device_code']), userCode: String(body['user_code']) };
  }

  private async statement(device?: { userCode: string }): Promise<string> {
    const { userCode } = device ?? (await this.asked());
    return statementIn(await this.ask('/device/key', { user_code: userCode, api_key: this.parts.key }));
  }

  /** Somebody consents, so that there is a refresh token. */
  private async signIn(): Promise<void> {
    const device = await this.asked();
    await this.ask('/device/decision', { signed_in: await this.statement(device), decision: 'approve' });
    const { terminal: client_id } = this.parts;
    const form = { grant_type: DEVICE_CODE_GRANT, client_id, device_code: device.deviceCode };
    const { status, text } = await this.ask('/api/v1/oauth/token', form);
    if (status !== 200) throw new Error(text);
  }
}
