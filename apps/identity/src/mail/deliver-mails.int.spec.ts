import { ManualClock } from '@capability-router/kernel';
import { createLogger, inTransaction } from '@capability-router/service-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readMail, startMailServer, type MailServer } from '../test-support/mail-server.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { deliverMails, retryMs, type Delivery, type MailOutcome } from './deliver-mails.js';
import { enqueueMail } from './enqueue-mail.js';
import { mailConfigOf, type MailConfig } from './mail-config.js';
import { mailSender } from './mail-sender.js';
import { endMail, leaseMail } from './outbox.sql.js';

const accountId = `acc_${'b'.repeat(32)}`;
const clock = new ManualClock(Date.UTC(2026, 0, 15, 12));
const logger = createLogger('identity', 'silent');
const MINUTE_MS = 60_000;

let database: ScratchDatabase;
let server: MailServer | undefined;
beforeAll(async () => {
  database = await createScratchDatabase();
  await database.pool.query(
    "INSERT INTO accounts (account_id, kind, status, name, opened_at) VALUES ($1, 'trial', 'active', 'a', now())",
    [accountId],
  );
});
afterAll(() => database.drop());
afterEach(async () => {
  await server?.close();
  server = undefined;
  await database.owner.query('TRUNCATE mails');
});

function configOf(url: string): MailConfig {
  const config = mailConfigOf({
    MAIL_URL: url,
    MAIL_FROM: 'Tools <no-reply@example.com>',
    MAIL_TLS: 'none',
    MAIL_MAX_WAITING: 10,
    IDENTITY_PEPPER: 'a pepper of the tests, long enough',
  });
  if (config === undefined) throw new Error('no mail is sent');
  return config;
}

const enqueue = (config: MailConfig, to = 'ada@example.org'): Promise<void> => {
  const mail = {
    kind: 'claim_code',
    to,
    language: 'en',
    code: '012345',
    minutes: 30,
    origin: 'https://t.example',
  } as const;
  const nowMs = clock.nowMs();
  const expiresAtMs = nowMs + 30 * MINUTE_MS;
  return inTransaction(database.pool, (tx) => enqueueMail(tx, config, { accountId, mail, nowMs, expiresAtMs }));
};

/** Sends what is due, and tells what came of each attempt. */
async function deliver(config: MailConfig, more: Partial<Delivery> = {}): Promise<MailOutcome[]> {
  const outcomes: MailOutcome[] = [];
  const send = mailSender(config, logger);
  const ended = (outcome: MailOutcome): unknown => outcomes.push(outcome);
  await deliverMails({ pool: database.pool, clock, config, send, logger, ended, ...more });
  return outcomes;
}

const states = async (): Promise<unknown[]> =>
  (await database.pool.query('SELECT state, attempts, sealed IS NULL AS empty FROM mails ORDER BY mail_id')).rows;

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe('the outbox', () => {
  it('sends a mail with both parts, once, and keeps nothing of it', async () => {
    server = await startMailServer();
    const config = configOf(server.url);
    await enqueue(config);
    expect(await deliver(config)).toEqual(['sent']);
    expect(await deliver(config)).toEqual([]);
    expect(server.mails).toHaveLength(1);
    const { to, code, body, messageId } = readMail(server.mails[0] ?? '');
    expect([to, code]).toEqual(['ada@example.org', '012345']);
    expect(messageId).toMatch(/^<[0-9a-f-]{36}@example\.com>$/);
    expect(body).toMatch(/Content-Type: text\/plain[\s\S]*https:\/\/t\.example[\s\S]*Content-Type: text\/html/);
    expect(await states()).toEqual([{ state: 'sent', attempts: 1, empty: true }]);
  });

  it('delays while no server listens, backs off, and loses nothing', async () => {
    const port = await freePort();
    const config = configOf(`smtp://127.0.0.1:${port}`);
    await enqueue(config);
    expect(await deliver(config)).toEqual(['postponed']);
    expect(await deliver(config)).toEqual([]);
    clock.advanceMs(retryMs(1));
    expect(await deliver(config)).toEqual(['postponed']);
    clock.advanceMs(retryMs(1));
    expect(await deliver(config)).toEqual([]);
    server = await startMailServer(port);
    clock.advanceMs(retryMs(2));
    expect(await deliver(config)).toEqual(['sent']);
    expect(server.mails).toHaveLength(1);
  });

  it('gives a mail to one of many replicas that look at the same time', async () => {
    server = await startMailServer();
    const config = configOf(server.url);
    for (let i = 0; i < 12; i += 1) await enqueue(config, `a${i}@example.org`);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => deliver(config)));
    expect(outcomes.flat()).toEqual(Array.from({ length: 12 }, () => 'sent'));
    expect(new Set(server.mails.map((mail) => readMail(mail).to)).size).toBe(12);
    expect(server.mails).toHaveLength(12);
  });

  it('sends a mail whose sender died again after its lease, under the same id', async () => {
    server = await startMailServer();
    const config = configOf(server.url);
    await enqueue(config);
    // The server took it, and the process died before it could say so.
    const died = await deliver(config, { pool: dyingAfterTheServerTookIt() }).catch(() => 'died');
    expect([died, server.mails.length]).toEqual(['died', 1]);
    expect(await deliver(config)).toEqual([]);
    clock.advanceMs(2 * MINUTE_MS);
    expect(await deliver(config)).toEqual(['sent']);
    const [first, second] = server.mails.map((mail) => readMail(mail).messageId);
    expect([first, server.mails.length]).toEqual([second, 2]);
  });

  it('does not let a replica whose lease has gone end the mail of another', async () => {
    const config = configOf('smtp://127.0.0.1:1');
    await enqueue(config);
    const nowMs = clock.nowMs();
    const late = await leaseMail(database.pool, nowMs, nowMs);
    const other = await leaseMail(database.pool, nowMs, nowMs + MINUTE_MS);
    if (late === undefined || other === undefined) throw new Error('no lease');
    await endMail(database.pool, late, 'sent');
    expect(await states()).toEqual([{ state: 'waiting', attempts: 2, empty: false }]);
  });

  it('gives up a mail that the server refuses for good, and one that is of no use any more', async () => {
    server = await startMailServer();
    const config = configOf(server.url);
    server.refusal = { responseCode: 550 };
    await enqueue(config);
    expect(await deliver(config)).toEqual(['failed']);
    server.refusal = { responseCode: 451 };
    clock.advanceMs(1);
    await enqueue(config);
    expect(await deliver(config)).toEqual(['postponed']);
    clock.advanceMs(30 * MINUTE_MS);
    expect(await deliver(config)).toEqual(['expired']);
    expect(await states()).toEqual([
      { state: 'failed', attempts: 1, empty: true },
      { state: 'failed', attempts: 2, empty: true },
    ]);
  });

  it('writes files that their owner alone can read, where the target is a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mails-'));
    try {
      const config = configOf(pathToFileURL(join(folder, 'mails')).href);
      await enqueue(config);
      expect(await deliver(config)).toEqual(['sent']);
      const [name = '', ...others] = readdirSync(join(folder, 'mails'));
      expect([name, others]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.eml$/), []]);
      const path = join(folder, 'mails', name);
      expect([readMail(readFileSync(path, 'utf8')).code, statSync(path).mode % 0o1000]).toEqual(['012345', 0o600]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('settings of mail', () => {
  const good = {
    MAIL_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'no-reply@example.com',
    MAIL_TLS: 'required',
    MAIL_MAX_WAITING: 1,
    IDENTITY_PEPPER: 'p'.repeat(32),
  } as const;
  const settings: readonly [string, object, RegExp][] = [
    ['no sender', { MAIL_FROM: undefined }, /MAIL_FROM.*missing/],
    ['a sender that is none', { MAIL_FROM: 'Tools' }, /MAIL_FROM.*address/],
    ['a sender of two lines', { MAIL_FROM: 'a\nBcc: x <a@example.com>' }, /MAIL_FROM.*address/],
    ['no pepper', { IDENTITY_PEPPER: undefined }, /IDENTITY_PEPPER.*missing/],
    ['a short pepper', { IDENTITY_PEPPER: 'short' }, /IDENTITY_PEPPER.*32 characters, has 5/],
  ];
  it.each(settings)('are refused at the start: %s', (_what, change, problem) => {
    expect(() => mailConfigOf({ ...good, ...change })).toThrow(problem);
  });

  it('may be left out, and then no mail is sent', () => {
    expect(
      mailConfigOf({ ...good, MAIL_URL: undefined, MAIL_FROM: undefined, IDENTITY_PEPPER: undefined }),
    ).toBeUndefined();
  });
});

/** A pool whose process dies before it can record that a mail was sent. */
function dyingAfterTheServerTookIt(): Delivery['pool'] {
  const query = (sql: string, values: unknown[]): Promise<unknown> =>
    /SET state/.test(sql) ? Promise.reject(new Error('the process is gone')) : database.pool.query(sql, values);
  return { query } as unknown as Delivery['pool'];
}
