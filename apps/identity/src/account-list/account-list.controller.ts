import {
  apiSuccess,
  type AccountAssertion,
  type AccountBalancesResponse,
  type ApiResponse,
} from '@capability-router/contracts';
import { AppError, creditsFromMicro, creditsToNumber } from '@capability-router/kernel';
import {
  AllowCallers,
  BILLING,
  CurrentAccount,
  POOL,
  requireAdmin,
  requireValid,
  type ServiceClient,
} from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { normalizeEmail } from '../accounts/account.js';
import { emailAddressOf, storedFormsOf } from '../email-addresses/email-address.js';
import { AccountListQuery } from './account-list.query.js';
import {
  accountOfEmail,
  accountsNamed,
  newestAccounts,
  type AfterAccount,
  type ListedAccount,
} from './list-accounts.sql.js';
import { readBalances } from '../accounts/read-balances.js';

export interface AccountList {
  readonly items: readonly {
    readonly account_id: string;
    readonly kind: string;
    readonly state: string;
    readonly name: string;
    readonly email?: string;
    /** ISO 3166-1 alpha-2. */
    readonly region?: string;
    readonly created_at: string;
    /** Credits, like what is held of them; both are absent while billing does not answer. */
    readonly balance_credits?: number;
    readonly held_credits?: number;
  }[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

/** The accounts of the deployment, for administrators. */
@Controller('admin/v1/accounts')
export class AccountListController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(BILLING) private readonly billing: ServiceClient,
  ) {}

  /** The newest first; those of a name in the order of their names. */
  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion, @Query() query: unknown): Promise<ApiResponse<AccountList>> {
    requireAdmin(caller);
    const wanted = requireValid(AccountListQuery, query, { location: 'query' });
    const found = await this.find(wanted);
    const page = found.slice(0, wanted.limit);
    const last = found.length > wanted.limit ? page.at(-1) : undefined;
    const ids = page.map(({ accountId }) => accountId);
    const balances = await readBalances(this.billing, ids);
    return apiSuccess({
      items: page.map((account) => toItem(account, balances)),
      ...(last === undefined ? {} : { next_cursor: cursorOf(last) }),
    });
  }

  /** One more than the page has, where there is a next one. */
  private async find({ limit, cursor, state, name, email }: AccountListQuery): Promise<ListedAccount[]> {
    if ([state, name, email].filter((filter) => filter !== undefined).length > 1) {
      throw invalid('state', 'Give one of state, name and email, not several.');
    }
    if (email !== undefined) return accountOfEmail(this.pool, await formsOf(email));
    const after = cursor === undefined ? undefined : readCursor(cursor);
    if (name !== undefined) return accountsNamed(this.pool, name, after, limit + 1);
    return newestAccounts(this.pool, state, after, limit + 1);
  }
}

/** Each form in which an account with this address may have it in its row. */
async function formsOf(email: string): Promise<readonly string[]> {
  const address = await emailAddressOf(email);
  return address === undefined ? [normalizeEmail(email)] : storedFormsOf(address);
}

function toItem(account: ListedAccount, balances: AccountBalancesResponse['balances'] | undefined) {
  const { accountId, kind, state, name, email, region, openedAt } = account;
  const own = balances?.[accountId];
  const creditsOf = (micro: string | undefined): number => creditsToNumber(creditsFromMicro(BigInt(micro ?? '0')));
  return {
    account_id: accountId,
    kind,
    state,
    name,
    ...(email === null ? {} : { email }),
    ...(region === null ? {} : { region }),
    created_at: openedAt.toISOString(),
    ...(balances === undefined
      ? {}
      : { balance_credits: creditsOf(own?.balanceMicroCredits), held_credits: creditsOf(own?.heldMicroCredits) }),
  };
}

const cursorOf = ({ accountId, sortName }: AfterAccount): string =>
  Buffer.from(JSON.stringify([accountId, sortName])).toString('base64url');

function readCursor(cursor: string): AfterAccount {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const [accountId, sortName] = Array.isArray(read) ? (read as unknown[]) : [];
    if (
      typeof accountId === 'string' &&
      typeof sortName === 'string' &&
      !`${accountId}${sortName}`.includes('\u0000')
    ) {
      return { accountId, sortName };
    }
  } catch {
    // It is no cursor, like any other text that is not one.
  }
  throw invalid('cursor', 'cursor must be the next_cursor of a page before');
}

const invalid = (name: string, msg: string): AppError =>
  new AppError('validation_error', msg, { details: [{ type: 'value_error', loc: ['query', name], msg }] });
