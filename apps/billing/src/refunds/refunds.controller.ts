import type { ApiResponse } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { AllowCallers, requireValid } from '@capability-router/service-kit';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { AdminCommands } from '../admin-commands/admin-commands.js';
import { commandOf, Received, type ReceivedCommand } from '../admin-commands/received-command.js';
import { invalidMember } from '../admin-requests/admin-request.js';
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
  refund(@Received() received: ReceivedCommand): Promise<ApiResponse<JsonObject>> {
    const { accountId, body, reply } = received;
    const wanted = requireValid(RefundRequest, body);
    const of = chargeNamedBy(wanted);
    if (of === undefined) {
      throw invalidMember('ledger_entry_id', `exactly one of ${chargeNames.join(', ')} should be given`);
    }
    const { amount_credits: amount, reference } = wanted;
    const refund = { accountId, of, amount: optionalCreditsOf(amount), reference: reference ?? undefined };
    const command = commandOf('refund', received, wanted);
    return this.commands.run(command, reply, (tx, clock) => refundCharge(tx, refund, clock));
  }

  /** Money went back to a payer; the credits leave the account. */
  @Post('payment-refunds')
  @HttpCode(201)
  @AllowCallers('gateway')
  refundPayment(@Received() received: ReceivedCommand): Promise<ApiResponse<JsonObject>> {
    const { accountId, body, reply } = received;
    const wanted = requireValid(PaymentRefundRequest, body);
    const { grant_id: grantId, amount_credits: amount, reference } = wanted;
    const refund = { accountId, grantId, amount: optionalCreditsOf(amount), reference: reference ?? undefined };
    const command = commandOf('payment_refund', received, wanted);
    return this.commands.run(command, reply, (tx, clock) => refundPayment(tx, refund, clock));
  }
}
