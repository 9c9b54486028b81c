import { isOAuthScope, type Language, type OAuthScope } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { verifyCredential } from '../api-keys/verify-credential.js';
import type { IdentityConfig } from '../config.js';
import { readUserCode, shownUserCode } from '../device-codes/codes.js';
import { emailAddressOf, maskEmail } from '../email-addresses/email-address.js';
import { secondsUntil } from '../seconds-until.js';
import { resourceAt, type TokenSettings } from '../signing-keys/token-settings.js';
import type { Form } from '../tokens/form.js';
import { requireClient, type ClientNetwork } from '../trial-agents/client-network.js';
import { decide } from './decide.js';
import { findWaitingDevice } from './find-waiting-device.js';
import { finishMailSignIn, startMailSignIn } from './mail-sign-in.js';
import type { Problem } from './page-texts.js';
import type { PageView } from './page-view.js';
import { readSignedIn, stateSignedIn, type SignedIn } from './signed-in.js';
import { takeSignInTry, type WaitingDevice } from './waiting-device.sql.js';

const MS_PER_DAY = 86_400_000;

/** The status that a page is answered with. 429 says for how many seconds the same form is refused. */
type Outcome = { readonly status: 200 | 400 | 503 } | { readonly status: 429; readonly retryAfterSeconds: number };

export type Page = Outcome & { readonly view: PageView };

export interface PageRequest {
  readonly form: Form;
  readonly client: ClientNetwork;
  readonly language: Language;
}

export const pageRequest = (form: Form, clientAddress: string | undefined, language: Language): PageRequest => ({
  form,
  client: requireClient(clientAddress),
  language,
});

interface Waiting {
  readonly device: WaitingDevice;
  /** With its hyphen. */
  readonly userCode: string;
}

/** Thrown where a form leads to another page than the next one. */
class Detour extends Error {
  constructor(readonly page: Page) {
    super(`the page is ${page.view.kind}`);
  }
}

const ok = (view: PageView): Page => ({ status: 200, view });
const refused: Outcome = { status: 400 };
const waitUntil = (atMs: number, nowMs: number): Outcome => ({
  status: 429,
  retryAfterSeconds: secondsUntil(atMs, nowMs),
});

/** The step that each form of the page leads to. */
@Injectable()
export class DevicePage {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig & TokenSettings,
  ) {}

  /** Where the code is entered. One that came in the link stands there already, and is looked at when it is sent. */
  begin(userCode: string | undefined): Page {
    const read = readUserCode(userCode ?? '');
    return enterCode(read === undefined ? '' : shownUserCode(read));
  }

  code(request: PageRequest): Promise<Page> {
    return followed(async () => this.signIn(await this.waiting(request)));
  }

  key(request: PageRequest): Promise<Page> {
    return followed(async () => {
      const waiting = await this.waiting(request);
      const nowMs = this.clock.nowMs();
      const again = (problem: Problem, outcome: Outcome = refused): Page =>
        this.signIn(waiting, { problem, tried: 'key' }, outcome);
      if (!(await takeSignInTry(this.pool, waiting.device.deviceId))) {
        return again('no_tries', waitUntil(waiting.device.expiresAt.getTime(), nowMs));
      }
      const key = request.form.get('api_key')?.trim() ?? '';
      const verified = await verifyCredential(this.pool, key, this.config.policy, nowMs);
      if (!verified.valid) return again('wrong_key');
      const { accountId, apiKeyId, scopes } = verified.assertion;
      const granted = waiting.device.scopes.filter((scope) => scopes.includes(scope));
      if (granted.length === 0) return again('nothing_to_give');
      return this.consent(waiting, { accountId, apiKeyId, scopes: granted }, verified.maskedValue ?? '');
    });
  }

  email(request: PageRequest): Promise<Page> {
    return followed(async () => {
      const waiting = await this.waiting(request);
      const email = request.form.get('email') ?? '';
      const { mail } = this.config;
      const again = (problem: Problem, outcome: Outcome = refused): Page =>
        this.signIn(waiting, { problem, tried: 'mail', email }, outcome);
      if (mail === undefined) return again('mail_away', { status: 503 });
      const address = await emailAddressOf(email);
      if (address === undefined) return again('not_an_email');
      const { client, language } = request;
      const nowMs = this.clock.nowMs();
      const command = { device: waiting.device, address, language, client, nowMs };
      const result = await startMailSignIn(this.pool, command, { ...this.config, mail });
      switch (result.status) {
        case 'mailed':
          return ok(mailedCode(waiting, address.email));
        case 'too_soon':
          return { ...waitUntil(result.againAtMs, nowMs), view: mailedCode(waiting, address.email, 'mail_too_soon') };
        case 'capped':
          return again('mail_too_many', waitUntil(result.resetAtMs, nowMs));
        case 'outbox_full':
          return again('mail_away', { status: 503 });
        case 'not_waiting':
          return again('lapsed');
      }
    });
  }

  emailCode(request: PageRequest): Promise<Page> {
    return followed(async () => {
      const waiting = await this.waiting(request);
      const address = await emailAddressOf(request.form.get('email') ?? '');
      if (address === undefined) return this.signIn(waiting, { problem: 'not_an_email', tried: 'mail' }, refused);
      const code = request.form.get('code')?.trim() ?? '';
      const result = await finishMailSignIn(this.pool, { device: waiting.device, address, code }, this.config);
      if (result.status !== 'signed_in') {
        const gone = result.status === 'no_code' || result.triesLeft === 0;
        return { status: 400, view: mailedCode(waiting, address.email, gone ? 'no_mailed_code' : 'wrong_mailed_code') };
      }
      const who = { accountId: result.accountId, apiKeyId: undefined, scopes: waiting.device.scopes };
      return this.consent(waiting, who, maskEmail(address.email));
    });
  }

  async decision({ form }: PageRequest): Promise<Page> {
    const decision = form.get('decision');
    const nowMs = this.clock.nowMs();
    const who = await readSignedIn(this.config.deviceSecrets, form.get('signed_in') ?? '', nowMs);
    if (who === undefined || (decision !== 'approve' && decision !== 'deny')) return enterCode('', 'lapsed');
    if (!(await decide(this.pool, who, decision, nowMs))) return enterCode('', 'lapsed');
    return ok({ kind: decision === 'approve' ? 'approved' : 'denied' });
  }

  /** The program that the form names. Throws `Detour` where none waits. */
  private async waiting({ form, client }: PageRequest): Promise<Waiting> {
    const text = form.get('user_code') ?? '';
    const userCode = readUserCode(text);
    if (userCode === undefined) throw new Detour(enterCode('', text === '' ? 'no_code' : 'unknown_code'));
    const command = { userCode, client, nowMs: this.clock.nowMs() };
    const found = await findWaitingDevice(this.pool, command, this.config);
    if (found.status === 'waiting') return { device: found.device, userCode: shownUserCode(userCode) };
    throw new Detour(
      found.status === 'capped'
        ? enterCode('', 'too_many_codes', waitUntil(found.resetAtMs, command.nowMs))
        : enterCode(shownUserCode(userCode), 'unknown_code'),
    );
  }

  private signIn(
    { device, userCode }: Waiting,
    { email = '', ...more }: { problem?: Problem; tried?: 'key' | 'mail'; email?: string } = {},
    outcome: Outcome = { status: 200 },
  ): Page {
    const mails = this.config.mail !== undefined;
    return { ...outcome, view: { kind: 'sign_in', userCode, clientName: device.clientName, mails, email, ...more } };
  }

  private async consent(
    { device, userCode }: Waiting,
    who: Omit<SignedIn, 'deviceId'>,
    signedInAs: string,
  ): Promise<Page> {
    const { deviceId, clientName, expiresAt, resourcePath, scopes: asked } = device;
    const {
      deviceSecrets: [deviceSecret],
      publicUrl,
      refreshMs,
    } = this.config;
    const known = (scopes: readonly string[]): OAuthScope[] => scopes.filter((scope) => isOAuthScope(scope));
    return ok({
      kind: 'consent',
      userCode,
      clientName,
      signedInAs,
      scopes: known(who.scopes),
      leftOut: known(asked.filter((scope) => !who.scopes.includes(scope))),
      resource: resourceAt(publicUrl, resourcePath),
      days: Math.round(refreshMs / MS_PER_DAY),
      statement: await stateSignedIn(deviceSecret, { deviceId, ...who }, expiresAt),
    });
  }
}

const enterCode = (userCode: string, problem?: Problem, outcome: Outcome = refused): Page => ({
  ...(problem === undefined ? { status: 200 } : outcome),
  view: { kind: 'enter_code', userCode, problem },
});

const mailedCode = ({ userCode }: Waiting, email: string, problem?: Problem): PageView => ({
  kind: 'mailed_code',
  userCode,
  email,
  problem,
});

async function followed(next: () => Promise<Page>): Promise<Page> {
  try {
    return await next();
  } catch (error) {
    if (error instanceof Detour) return error.page;
    throw error;
  }
}
