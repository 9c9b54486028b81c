import type { ApiResponse } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { AllowCallers, requireValid } from '@capability-router/service-kit';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { AdminCommands } from '../admin-commands/admin-commands.js';
import { commandOf, Received, type ReceivedCommand } from '../admin-commands/received-command.js';
import { invalidMember } from '../admin-requests/admin-request.js';
import { creditsOf } from '../admin-requests/fields.js';
import { grantCategoryNames } from '../grants/domain/grant-categories.js';
import { correctAccount } from './correct-account.js';
import { CorrectionRequest } from './correction.request.js';

/** Corrections as administrators command them. Each needs an `Idempotency-Key`. */
@Controller('admin/v1/accounts/:accountId/corrections')
export class CorrectionsController {
  constructor(@Inject(AdminCommands) private readonly commands: AdminCommands) {}

  /** Puts right what no other command does. */
  @Post()
  @HttpCode(201)
  @AllowCallers('gateway')
  correct(@Received() received: ReceivedCommand): Promise<ApiResponse<JsonObject>> {
    const { accountId, body, reply } = received;
    const wanted = requireValid(CorrectionRequest, body);
    requireFitting(wanted);
    const { ledger_entry_id: entryId, category, expires_at: expiresAt, reference } = wanted;
    const correction = {
      accountId,
      amount: creditsOf(wanted.amount_credits),
      entryId: entryId ?? undefined,
      category: category ?? undefined,
      expiresAt: expiresAt ?? undefined,
      reference: reference ?? undefined,
    };
    const command = commandOf('correction', received, wanted);
    return this.commands.run(command, reply, (tx, clock) => correctAccount(tx, correction, clock));
  }
}

/** Credits that are given anew say what they count as; others have neither a category nor an end of their own. */
function requireFitting(wanted: CorrectionRequest): void {
  const makesLot = wanted.amount_credits > 0 && (wanted.ledger_entry_id ?? null) === null;
  if (makesLot && (wanted.category ?? null) === null) {
    throw invalidMember(
      'category',
      'category should say what the given credits count as, or ledger_entry_id what is undone',
      { enum: [...grantCategoryNames] },
    );
  }
  for (const name of ['category', 'expires_at'] as const) {
    if (!makesLot && (wanted[name] ?? null) !== null) {
      throw invalidMember(name, `${name} goes only with credits that are given anew`);
    }
  }
}
