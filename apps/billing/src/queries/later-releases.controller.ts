import { AppError } from '@capability-router/kernel';
import { AllowCallers } from '@capability-router/service-kit';
import { Controller, Get } from '@nestjs/common';

/**
 * Reads that the specification names and this release does not have. Without routes of their own, some would be taken
 * for the id of an event or an entry. Delete a path from here with the change that answers it.
 */
const laterReads = [
  'auth/usage/history/v2/summary',
  'auth/usage/history/v2/export',
  'auth/usage/credits-spent',
  'auth/credits/ledger/export',
  'auth/credits/ledger-readiness',
  'auth/account/settlement-history',
];

@Controller('api/v1')
export class LaterReleasesController {
  @Get(laterReads)
  @AllowCallers('gateway')
  notYet(): never {
    throw new AppError('not_found', 'This endpoint is not in this release.');
  }
}
