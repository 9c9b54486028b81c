import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER, METRICS, Periodic, POOL, repeatWhileFull } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { IdentityConfig } from '../config.js';
import { deliverMails, type MailOutcome } from './deliver-mails.js';
import { mailSender } from './mail-sender.js';
import type { SendMail } from './mail.js';
import { countWaiting, deleteEnded } from './outbox.sql.js';

const INTERVAL_MS = 250;
const GAUGE_INTERVAL_MS = 10_000;
const PURGE_INTERVAL_MS = 3_600_000;
/** Milliseconds for which a mail that has ended is remembered, without its address. */
const KEPT_MS = 7 * 86_400_000;
const PURGE = { rows: 5_000, statements: 200 };

/** Empties the outbox. Without `MAIL_URL` there is nothing in it. */
@Injectable()
export class MailTask {
  private readonly send: SendMail | undefined;
  private readonly attempts: Counter<'outcome'>;
  private readonly waiting: Gauge;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.send = config.mail === undefined ? undefined : mailSender(config.mail, logger);
    const registers = [registry];
    this.attempts = new Counter({
      name: 'identity_mail_attempts_total',
      help: 'Attempts to send a mail, by what came of them.',
      labelNames: ['outcome'],
      registers,
    });
    this.waiting = new Gauge({ name: 'identity_mails_waiting', help: 'Mails that wait to be sent.', registers });
  }

  @Periodic({ name: 'delivery of mail', everyMs: INTERVAL_MS })
  async deliver(): Promise<void> {
    const { pool, clock, logger, send, config } = this;
    if (send === undefined || config.mail === undefined) return;
    const ended = (outcome: MailOutcome): void => this.attempts.inc({ outcome });
    await deliverMails({ pool, clock, logger, send, config: config.mail, ended });
  }

  @Periodic({ name: 'count of waiting mail', everyMs: GAUGE_INTERVAL_MS })
  async count(): Promise<void> {
    if (this.config.mail === undefined) return;
    this.waiting.set(await countWaiting(this.pool, this.config.mail.maxWaiting));
  }

  @Periodic({ name: 'purge of mail', everyMs: PURGE_INTERVAL_MS, atStart: true })
  async purge(): Promise<void> {
    const beforeMs = this.clock.nowMs() - KEPT_MS;
    await repeatWhileFull((limit) => deleteEnded(this.pool, beforeMs, limit), PURGE);
  }
}
