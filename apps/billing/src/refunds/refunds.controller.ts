import type { AccountAssertion, ApiResponse } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountCommand } from '../admin-commands/account-command.js';
import { AdminCommands } from '../admin-commands/admin-commands.js';
import { invalidMember, requireAccountId } from '../admin-requests/admin-request.js';
import { optionalCreditsOf } from '../admin-requests/fields.js';
import { refundCharge } from './refund-charge.js';
import { refundPayment } from './refund-payment.js';
import { chargeNamedBy, chargeNames, PaymentRefundRequest, RefundRequest } from './refund.requests.js';

/** Refunds as administrators command them. Each needs an `Idempotency-Key`. */
@Controller('admin/v1/accounts/:accountId')
export class RefundsController {
  constructor(@Inject(AdminCommands) private readonly commands: AdminCommands) {}

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
    requireAdmin(caller);
    const accountId = requireAccountId(account);
    const wanted = requireValid(RefundRequest, body);
    const of = chargeNamedBy(wanted);
    if (of === undefined) {
      throw invalidMember('ledger_entry_id', `exactly one of ${chargeNames.join(', ')} should be given`);
    }
    const { amount_credits: amount, reference } = wanted;
    const refund = { accountId, of, amount: optionalCreditsOf(amount), reference: reference ?? undefined };
    const command = accountCommand('refund', caller, accountId, request, wanted);
    return this.commands.run(command, reply, (tx, clock) => refundCharge(tx, refund, clock));
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
    requireAdmin(caller);
    const accountId = requireAccountId(account);
    const wanted = requireValid(PaymentRefundRequest, body);
    const { grant_id: grantId, amount_credits: amount, reference } = wanted;
    const refund = { accountId, grantId, amount: optionalCreditsOf(amount), reference: reference ?? undefined };
    const command = accountCommand('payment_refund', caller, accountId, request, wanted);
    return this.commands.run(command, reply, (tx, clock) => refundPayment(tx, refund, clock));
  }
}
