import { isJsonObject, type JsonObject, type ManualClock } from '@capability-router/kernel';
import { readMail, startMailServer, type MailServer, type ReadMail } from './mail-server.js';
import { RunningIdentity, type Answer } from './running-identity.js';

export interface Trial {
  readonly accountId: string;
  readonly apiKey: string;
  readonly claimCode: string;
}

const UNCAPPED = '1000000';

/** Identity with a mail server of its own, and what a test of claims asks of both. */
export class ClaimingIdentity {
  private constructor(
    readonly identity: RunningIdentity,
    readonly mailServer: MailServer,
  ) {}

  static async start(clock: ManualClock, env: NodeJS.ProcessEnv = {}): Promise<ClaimingIdentity> {
    const mailServer = await startMailServer();
    const identity = await RunningIdentity.start(clock, {
      MAIL_URL: mailServer.url,
      MAIL_FROM: 'Tools <no-reply@example.com>',
      MAIL_TLS: 'none',
      IDENTITY_PEPPER: 'a pepper of the tests, long enough',
      TRIAL_REGISTRATIONS_PER_ADDRESS_PER_DAY: UNCAPPED,
      TRIAL_REGISTRATIONS_PER_NETWORK_PER_DAY: UNCAPPED,
      TRIAL_DAILY_BUDGET_CREDITS: '1000000000',
      CLAIM_MAILS_PER_ADDRESS_PER_DAY: UNCAPPED,
      CLAIM_MAILS_PER_NETWORK_PER_DAY: UNCAPPED,
      ...env,
    });
    return new ClaimingIdentity(identity, mailServer);
  }

  async stop(): Promise<void> {
    await this.identity.stop();
    await this.mailServer.close();
  }

  ask(path: string, body: unknown, { clientAddress = '192.0.2.7', headers = {} } = {}): Promise<Answer> {
    return this.identity.call({ method: 'POST', url: `/api/v1/agent/${path}`, body, clientAddress, headers });
  }

  async register(): Promise<Trial> {
    const data = dataOf(await this.ask('anonymous-register', { agent_name: 'scout' }));
    return {
      accountId: textOf(data, 'account_id'),
      apiKey: textOf(data, 'api_key'),
      claimCode: textOf(data, 'claim_code'),
    };
  }

  claim({ claimCode }: Trial, email: string, more: object = {}): Promise<Answer> {
    return this.ask('claim', { claim_code: claimCode, email, ...more });
  }

  verify({ claimCode }: Trial, email: string, code: string): Promise<Answer> {
    return this.ask('claim-verify', { claim_code: claimCode, email, code });
  }

  /** Claims and waits for the mail. */
  async mailedCode(trial: Trial, email: string): Promise<string> {
    const before = this.mailsTo(email).length;
    dataOf(await this.claim(trial, email));
    const { code } = await this.mailTo(email, before);
    if (code === undefined) throw new Error('the mail has no code');
    return code;
  }

  /** The mail to `email` that comes after `before` others. Mails of several claims come in any order. */
  async mailTo(email: string, before = 0): Promise<ReadMail> {
    for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 20) {
      const mail = this.mailsTo(email)[before];
      if (mail !== undefined) return mail;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no mail came to ${email}`);
  }

  private mailsTo(email: string): readonly ReadMail[] {
    const plain = email.trim().toLowerCase();
    return this.mailServer.mails.map(readMail).filter(({ to }) => to.toLowerCase() === plain);
  }
}

function textOf(data: JsonObject, member: string): string {
  const value = data[member];
  if (typeof value !== 'string') throw new Error(`no text ${member} in ${JSON.stringify(data)}`);
  return value;
}

export function dataOf({ status, body }: Pick<Answer, 'status' | 'body'>): JsonObject {
  const { data } = body;
  if (status >= 300 || !isJsonObject(data)) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return data;
}
