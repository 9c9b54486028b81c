import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type pg from 'pg';
import { BEGINNING, type Place } from './verify-chains.js';
import { verifyLog } from './verify-log.js';

/** Characters. */
const MAX_CURSOR_LENGTH = 400;

export class VerificationQuery {
  @IsOptional()
  @IsString()
  @Matches(/^acc_[0-9a-f]{32}$/, { message: 'account_id must be acc_ and 32 hex digits' })
  readonly account_id?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_CURSOR_LENGTH)
  readonly cursor?: string;
}

export interface SecurityLogVerification {
  readonly sound: boolean;
  /** Entries that this look followed. */
  readonly entries: number;
  readonly findings: readonly {
    readonly kind: string;
    readonly chain: string;
    readonly entry_seq: number;
    readonly entry_id: string | null;
  }[];
  /** Absent at the end of the log. */
  readonly next_cursor?: string;
}

@Controller('admin/v1/security-log')
export class VerifySecurityLogController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** Follows the next ten thousand entries, of one account or of all chains. */
  @Get('verification')
  @AllowCallers('gateway')
  async verify(
    @CurrentAccount() caller: AccountAssertion,
    @Query() query: unknown,
  ): Promise<ApiResponse<SecurityLogVerification>> {
    requireAdmin(caller);
    const { account_id: only, cursor } = requireValid(VerificationQuery, query, { location: 'query' });
    const { entries, findings, next } = await verifyLog(this.pool, readPlace(cursor), only);
    return apiSuccess({
      sound: findings.length === 0,
      entries,
      findings: findings.map(({ kind, chain, entrySeq, entryId }) => ({
        kind,
        chain,
        entry_seq: entrySeq,
        entry_id: entryId,
      })),
      ...(next === undefined ? {} : { next_cursor: cursorOf(next) }),
    });
  }
}

const cursorOf = ({ chain, entrySeq, hash }: Place): string =>
  Buffer.from(JSON.stringify([chain, entrySeq, hash])).toString('base64url');

function readPlace(cursor: string | undefined): Place {
  if (cursor === undefined) return BEGINNING;
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const [chain, entrySeq, hash] = Array.isArray(read) ? (read as unknown[]) : [];
    const isPlace = typeof chain === 'string' && Number.isSafeInteger(entrySeq) && typeof hash === 'string';
    if (isPlace && !chain.includes('\u0000')) {
      return { chain, entrySeq: entrySeq as number, hash };
    }
  } catch {
    // It is no cursor, like any other text that is not one.
  }
  const msg = 'cursor must be the next_cursor of a look before';
  throw new AppError('validation_error', msg, { details: [{ type: 'value_error', loc: ['query', 'cursor'], msg }] });
}
