import { AppError } from '@capability-router/kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { finished, type Readable } from 'node:stream';

/** Exports at the same time, of one replica. */
const MAX_EXPORTS = 32;
const MAX_EXPORTS_PER_ACCOUNT = 4;
/** Seconds. */
const RETRY_AFTER_SECONDS = 2;

/** Bounds what exports take of a replica, and answers with them. */
@Injectable()
export class ExportSlots {
  private readonly taken = new Map<string, number>();
  private total = 0;

  /** Answers with the file that `open` begins. Throws a 503 while too many run. */
  async send(reply: FastifyReply, accountId: string, filename: string, open: () => Promise<Readable>): Promise<void> {
    const leave = this.enter(accountId);
    let file: Readable;
    try {
      file = await open();
    } catch (error) {
      leave();
      throw error;
    }
    finished(file, leave);
    await reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${filename}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(file);
  }

  private enter(accountId: string): () => void {
    const own = this.taken.get(accountId) ?? 0;
    if (own >= MAX_EXPORTS_PER_ACCOUNT || this.total >= MAX_EXPORTS) {
      throw new AppError('service_unavailable', 'Too many exports run at the same time. Retry when one has ended.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    this.taken.set(accountId, own + 1);
    this.total += 1;
    return () => {
      const left = (this.taken.get(accountId) ?? 1) - 1;
      if (left === 0) this.taken.delete(accountId);
      else this.taken.set(accountId, left);
      this.total -= 1;
    };
  }
}
