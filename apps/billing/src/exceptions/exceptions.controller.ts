import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { AdminCommands } from '../admin-commands/admin-commands.js';
import { commanderOf, requireIdempotencyKey } from '../admin-requests/admin-request.js';
import { decodeCursor } from '../queries/cursor.js';
import { feedPage } from '../queries/feed.js';
import { actionView, exceptionView } from './exception-view.js';
import { ExceptionPageQuery, ResolutionRequest } from './exception.requests.js';
import { listExceptions, readActions } from './exceptions.sql.js';
import { requireException, resolveException, type Resolution } from './resolve-exception.js';

const resolutions: Readonly<Record<string, Resolution>> = {
  refund: 'refund',
  confirm: 'confirm',
  'write-off': 'write_off',
};

/** Shows administrators the exceptions that people have to look at, and takes their decisions. */
@Controller('admin/v1/exceptions')
export class ExceptionsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(AdminCommands) private readonly commands: AdminCommands,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion, @Query() raw: unknown): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const query = requireValid(ExceptionPageQuery, raw, { location: 'query', allowUnknown: true });
    const { cursor, page_size: pageSize, ...filters } = query;
    // A cursor is good for the filters that were sent: replicas of the release before leave the default out, too.
    const { state: asked, ...others } = filters;
    const sent = asked === 'open' ? others : filters;
    const scope = { feed: 'exceptions', accountId: filters.account_id ?? '', filters: sent };
    const beforeSeq = cursor === undefined ? undefined : decodeCursor(scope, cursor);
    const { state, kind, account_id: accountId, execution_id: executionId } = filters;
    const filter = { state, kind, accountId, executionId };
    const rows = await listExceptions(this.pool, filter, { beforeSeq, rows: pageSize + 1 });
    const read = { sequenceOf: (row: (typeof rows)[number]) => row.exception_seq, view: exceptionView };
    return apiSuccess(feedPage(rows, pageSize, scope, read) as JsonObject);
  }

  @Get(':exceptionId')
  @AllowCallers('gateway')
  async show(
    @CurrentAccount() caller: AccountAssertion,
    @Param('exceptionId') exceptionId: string,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const found = await requireException(this.pool, requireId(exceptionId));
    const history = await readActions(this.pool, exceptionId);
    return apiSuccess({ ...exceptionView(found), history: history.map(actionView) });
  }

  /** `refund`, `confirm` or `write-off`; each needs an `Idempotency-Key`, and a note that says why. */
  @Post(':exceptionId/:resolution')
  @HttpCode(200)
  @AllowCallers('gateway')
  async resolve(
    @CurrentAccount() caller: AccountAssertion,
    @Param('exceptionId') id: string,
    @Param('resolution') named: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const exceptionId = requireId(id);
    const resolution = Object.hasOwn(resolutions, named) ? resolutions[named] : undefined;
    if (resolution === undefined) throw new AppError('not_found');
    const { note, reference: given } = requireValid(ResolutionRequest, body);
    const reference = given ?? undefined;
    const idempotencyKey = requireIdempotencyKey(request);
    const { account_id: accountId } = await requireException(this.pool, exceptionId);
    const commandedBy = commanderOf(caller);
    const command = {
      kind: `exception_${resolution}`,
      accountId,
      idempotencyKey,
      input: { exception_id: exceptionId, note, ...(reference === undefined ? {} : { reference }) },
      note,
      commandedBy,
    };
    const wanted = { exceptionId, resolution, reference, commandedBy, idempotencyKey };
    return this.commands.run(command, reply, (tx, clock) => resolveException(tx, wanted, clock));
  }
}

/** Throws `not_found` for what cannot be one. */
function requireId(text: string): string {
  if (!/^xcp_[0-9a-f]{32}$/.test(text)) throw new AppError('not_found', 'There is no such exception.');
  return text;
}
