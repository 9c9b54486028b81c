import { apiSuccess, publicHeaders, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type AccountId, type Clock, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CurrentAccount, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { commanderOf, requireAccountId, requireIdempotencyKey } from '../admin-requests/admin-request.js';
import { creditsOf } from '../admin-requests/fields.js';
import { correctAccount } from '../corrections/correct-account.js';
import { CorrectionRequest } from '../corrections/correction.request.js';
import { grantToAccount } from '../grants/grant-to-account.js';
import { GrantRequest } from '../grants/grant.requests.js';
import { refundCharge } from '../refunds/refund-charge.js';
import { refundPayment } from '../refunds/refund-payment.js';
import { chargeNamedBy, chargeNames, PaymentRefundRequest, RefundRequest } from '../refunds/refund.requests.js';
import { runAdminCommand } from './run-admin-command.js';

/** A command as it came. */
interface Received {
  readonly caller: AccountAssertion;
  readonly accountId: AccountId;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}
type Work = (tx: pg.PoolClient, clock: Clock) => Promise<JsonObject>;

/** The commands of administrators that move the credits of an account. Each needs an `Idempotency-Key`. */
@Controller('admin/v1/accounts/:accountId')
export class AccountCommandsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Top-ups, rewards and bonuses. */
  @Post('grants')
  @HttpCode(201)
  @AllowCallers('gateway')
  grant(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') account: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiResponse<JsonObject>> {
    const received = receive(caller, account, request, reply);
    const wanted = requireValid(GrantRequest, body);
    const { category, amount_credits: amount, expires_at: expiresAt, reference } = wanted;
    const { accountId } = received;
    const grant = { accountId, category, amount: creditsOf(amount), expiresAt: expiresAt ?? null };
    return this.run(received, 'grant', wanted, (tx, clock) =>
      grantToAccount(tx, { ...grant, reference: reference ?? undefined }, clock),
    );
  }

  /** Credits of a charge go back to the account. */
  @Post('refunds')
  @HttpCode(201)
  @AllowCallers('gateway')
  refund(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') account: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiResponse<JsonObject>> {
    const received = receive(caller, account, request, reply);
    const wanted = requireValid(RefundRequest, body);
    const of = chargeNamedBy(wanted);
    if (of === undefined) throw invalid('ledger_entry_id', `exactly one of ${chargeNames.join(', ')} should be given`);
    const { accountId } = received;
    const refund = { accountId, of, amount: optionalCredits(wanted.amount_credits) };
    return this.run(received, 'refund', wanted, (tx, clock) =>
      refundCharge(tx, { ...refund, reference: wanted.reference ?? undefined }, clock),
    );
  }

  /** Money went back to a payer; the credits leave the account. */
  @Post('payment-refunds')
  @HttpCode(201)
  @AllowCallers('gateway')
  refundPayment(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') account: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiResponse<JsonObject>> {
    const received = receive(caller, account, request, reply);
    const wanted = requireValid(PaymentRefundRequest, body);
    const { accountId } = received;
    const refund = { accountId, grantId: wanted.grant_id, amount: optionalCredits(wanted.amount_credits) };
    return this.run(received, 'payment_refund', wanted, (tx, clock) =>
      refundPayment(tx, { ...refund, reference: wanted.reference ?? undefined }, clock),
    );
  }

  /** Puts right what no other command does. */
  @Post('corrections')
  @HttpCode(201)
  @AllowCallers('gateway')
  correct(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') account: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApiResponse<JsonObject>> {
    const received = receive(caller, account, request, reply);
    const wanted = requireValid(CorrectionRequest, body);
    const { ledger_entry_id: entryId, category, expires_at: expiresAt, reference } = wanted;
    const makesLot = wanted.amount_credits > 0 && (entryId ?? null) === null;
    if (makesLot && (category ?? null) === null) {
      throw invalid(
        'category',
        'category should say what the given credits count as, or ledger_entry_id what is undone',
      );
    }
    for (const name of ['category', 'expires_at'] as const) {
      if (!makesLot && (wanted[name] ?? null) !== null)
        throw invalid(name, `${name} goes only with credits that are given anew`);
    }
    const correction = {
      accountId: received.accountId,
      amount: creditsOf(wanted.amount_credits),
      entryId: entryId ?? undefined,
      category: category ?? undefined,
      expiresAt: expiresAt ?? undefined,
      reference: reference ?? undefined,
    };
    return this.run(received, 'correction', wanted, (tx, clock) => correctAccount(tx, correction, clock));
  }

  private async run(
    { caller, accountId, request, reply }: Received,
    kind: string,
    wanted: { readonly note?: string | null },
    work: Work,
  ): Promise<ApiResponse<JsonObject>> {
    const idempotencyKey = requireIdempotencyKey(request);
    const input = givenOf(wanted);
    const command = {
      kind,
      accountId,
      idempotencyKey,
      input,
      note: wanted.note ?? undefined,
      commandedBy: commanderOf(caller),
    };
    const { answer, replayed } = await runAdminCommand(this.pool, command, this.clock, (tx) => work(tx, this.clock));
    if (replayed) void reply.header(publicHeaders.idempotencyReplayed, 'true');
    return apiSuccess(answer);
  }
}

function receive(caller: AccountAssertion, account: string, request: FastifyRequest, reply: FastifyReply): Received {
  requireAdmin(caller);
  return { caller, accountId: requireAccountId(account), request, reply };
}

const optionalCredits = (amount: number | null | undefined) =>
  amount === null || amount === undefined ? undefined : creditsOf(amount);

/** The members of a valid body that say something: null and absent are the same input. */
function givenOf(wanted: object): JsonObject {
  const given = Object.entries(wanted as JsonObject).filter(([, value]) => (value ?? null) !== null);
  return Object.fromEntries(given);
}

const invalid = (name: string, msg: string): AppError =>
  new AppError('validation_error', `"${name}" is invalid: ${msg}`, {
    details: [{ type: 'value_error', loc: ['body', name], msg }],
  });
