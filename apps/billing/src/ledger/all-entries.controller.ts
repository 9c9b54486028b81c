import type { AccountAssertion } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import { AllEntriesQuery } from './all-entries.query.js';
import { csvOfEntries, linesOfEntries } from './all-entries.js';
import { ledgerOutbox } from './ledger-outbox.js';

/** The ledger of all accounts, for those who read no topic. */
@Controller('admin/v1/ledger-entries')
export class AllEntriesController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /**
   * One page in the order of commits, as the topic has it: whoever goes on after the last cursor misses no entry, also
   * none whose transaction ends late. A page that is not full ends at what is committed by now.
   */
  @Get()
  @AllowCallers('gateway')
  async page(
    @CurrentAccount() caller: AccountAssertion,
    @Query() raw: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    requireAdmin(caller);
    const query = requireValid(AllEntriesQuery, raw, { location: 'query', allowUnknown: true });
    const { cursor = '', format, page_size: rows } = query;
    const { events } = await ledgerOutbox.readAfter(this.pool, cursor, rows);
    await reply
      .headers({
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(format === 'csv' ? csvOfEntries(events) : linesOfEntries(events));
  }
}
