import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  ExceededBudget,
  ForestalledHold,
  PlaceHoldRequest,
  ReleaseHoldsRequest,
  SettlementResponse,
} from '@capability-router/contracts';

/** Answers as billing does, over HTTP on the loopback, from a balance that a test sets. */
export interface BillingStandIn {
  readonly url: string;
  /** Micro-credits. */
  available: bigint;
  /** Micro-credits: holds up to this are covered whole, and then nothing of the balance is held. */
  allowance: bigint;
  /** Budgets of the credential; a hold that the balance covers may not be above what is left of them. */
  budgets: readonly ExceededBudget[];
  readonly holds: PlaceHoldRequest[];
  /** Executions whose holds it was asked to release, in the order of the requests. */
  readonly released: string[];
  /** Holds that it was asked to release or never to place, in the order of the requests. */
  readonly forestalled: ForestalledHold[];
  /** Answers every request to release with 500. */
  failsToRelease: boolean;
  /** Milliseconds before it hears of holds to release. */
  releaseDelayMs: number;
  /** Answers every hold with 409: its id has another one. */
  conflicts: boolean;
  /** Waited for before a hold is answered. */
  untilHeld: () => Promise<unknown>;
  /** Waited for before what is available is answered. */
  untilAvailable: () => Promise<unknown>;
  /** Its answer about the bill of any execution; undefined: 503. */
  settlement: SettlementResponse | undefined;
  /** Milliseconds before a hold is answered. */
  delayMs: number;
  close(): Promise<void>;
}

export async function startBillingStandIn(available: bigint): Promise<BillingStandIn> {
  const holds: PlaceHoldRequest[] = [];
  const released: string[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url?.endsWith('/settlement') === true) {
      answer(standIn.settlement === undefined ? 503 : 200, standIn.settlement ?? {});
      return;
    }
    if (request.method === 'GET') {
      void standIn.untilAvailable().then(() => {
        answer(200, { availableMicroCredits: standIn.available.toString() });
      });
      return;
    }
    if (request.url === '/internal/holds:release') {
      void text(request).then(async (body) => {
        await delay(standIn.releaseDelayMs);
        const { billableIds, forestalled = [] } = JSON.parse(body) as ReleaseHoldsRequest;
        released.push(...billableIds);
        standIn.forestalled.push(...forestalled);
        answer(standIn.failsToRelease ? 500 : 200, { released: billableIds.length });
      });
      return;
    }
    void text(request).then(async (body) => {
      await delay(standIn.delayMs);
      await standIn.untilHeld();
      const hold = JSON.parse(body) as PlaceHoldRequest;
      if (standIn.conflicts) {
        answer(409, { status: 'conflict' });
        return;
      }
      const amount = BigInt(hold.amountMicroCredits);
      if (amount <= standIn.allowance) {
        holds.push(hold);
        standIn.allowance -= amount;
        answer(200, { status: 'held', availableMicroCredits: standIn.available.toString(), covered: true });
        return;
      }
      if (standIn.available < amount) {
        answer(402, { status: 'insufficient_credits', availableMicroCredits: standIn.available.toString() });
        return;
      }
      const exceeded = standIn.budgets.filter(({ availableMicroCredits }) => BigInt(availableMicroCredits) < amount);
      if (exceeded.length > 0) {
        const availableMicroCredits = standIn.available.toString();
        answer(402, { status: 'budget_exceeded', availableMicroCredits, budgets: exceeded });
        return;
      }
      holds.push(hold);
      standIn.available -= amount;
      answer(200, { status: 'held', availableMicroCredits: standIn.available.toString() });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: BillingStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    available,
    allowance: 0n,
    budgets: [],
    holds,
    released,
    forestalled: [],
    conflicts: false,
    failsToRelease: false,
    releaseDelayMs: 0,
    untilHeld: () => Promise.resolve(),
    untilAvailable: () => Promise.resolve(),
    settlement: { settlementState: 'pending' },
    delayMs: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return standIn;
}
