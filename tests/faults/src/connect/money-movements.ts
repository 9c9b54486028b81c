import { randomUUID } from 'node:crypto';
import type { CallOutcome, LoadAccount } from '../load.js';

const SOON_MS = 3_000;
const TIMEOUT_MS = 60_000;
const HTTP_CREATED = 201;

export interface Movement {
  readonly command: string;
  /** Absent where the connection broke, or where there was nothing to move. */
  readonly status?: number;
}

/** An administrator who grants, gives back, takes back and corrects, of accounts that make calls meanwhile. */
export class MoneyMovements {
  /** Grants of which the money may go back, by account. */
  private readonly topUps = new Map<string, string>();
  private readonly refunded = new Set<string>();

  constructor(
    private readonly adminKey: string,
    private readonly calls: readonly CallOutcome[],
  ) {}

  /** One command, another kind with each turn. Never rejects. */
  readonly next = async (origin: string, { accountId }: LoadAccount, turn: number): Promise<Movement> => {
    const kinds = [
      () => this.grant(origin, accountId, { expires_at: new Date(Date.now() + SOON_MS).toISOString() }),
      () => this.topUp(origin, accountId),
      () => this.refund(origin, accountId),
      () => this.correct(origin, accountId),
      () => this.returnPayment(origin, accountId),
    ];
    try {
      return (await kinds[turn % kinds.length]?.()) ?? { command: 'none' };
    } catch {
      return { command: 'broken' };
    }
  };

  private grant(origin: string, accountId: string, more: object): Promise<Movement> {
    // Neither divides into the other, so that shares of the money have to be rounded.
    const paid = { paid_amount: '9.99', paid_currency: 'EUR' };
    return this.command(origin, accountId, 'grants', { category: 'purchased', amount_credits: 7, ...paid, ...more });
  }

  private async topUp(origin: string, accountId: string): Promise<Movement> {
    return this.grant(origin, accountId, { paid_amount: '1199', paid_currency: 'JPY', amount_credits: 11 });
  }

  private async refund(origin: string, accountId: string): Promise<Movement> {
    const call = this.calls.find(
      (one) => one.accountId === accountId && one.success === true && !this.refunded.has(one.executionId ?? ''),
    );
    if (call?.executionId === undefined) return { command: 'refunds' };
    this.refunded.add(call.executionId);
    return this.command(origin, accountId, 'refunds', { execution_id: call.executionId });
  }

  private correct(origin: string, accountId: string): Promise<Movement> {
    return this.command(origin, accountId, 'corrections', { amount_credits: -0.000_001 });
  }

  private async returnPayment(origin: string, accountId: string): Promise<Movement> {
    const grant = this.topUps.get(accountId);
    if (grant === undefined) return { command: 'payment-refunds' };
    this.topUps.delete(accountId);
    return this.command(origin, accountId, 'payment-refunds', { grant_id: grant });
  }

  private async command(origin: string, accountId: string, command: string, body: object): Promise<Movement> {
    const answer = await fetch(`${origin}/admin/v1/accounts/${accountId}/${command}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.adminKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (command === 'grants' && answer.status === HTTP_CREATED && !('expires_at' in body)) {
      const { data } = JSON.parse(text) as { data: { grant_id: string } };
      this.topUps.set(accountId, data.grant_id);
    }
    return { command, status: answer.status };
  }
}
