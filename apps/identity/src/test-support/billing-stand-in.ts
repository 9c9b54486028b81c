import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AccountBalancesRequest, AccountBalancesResponse } from '@capability-router/contracts';

/** Answers on the loopback, as billing does, what an account can spend and whether a grant is booked. */
export interface BillingStandIn {
  readonly url: string;
  /** Has it booked the grants that it is asked about? */
  hasBooked: boolean;
  /** Accounts that it was asked about, once for each question. */
  readonly asked: string[];
  /** Requests that it was asked by. */
  questions: number;
  close(): Promise<void>;
}

export async function startBillingStandIn(): Promise<BillingStandIn> {
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      standIn.questions += 1;
      const amount = standIn.hasBooked ? '1000000' : '0';
      const { accountIds = [] } = (sent === '' ? {} : JSON.parse(sent)) as Partial<AccountBalancesRequest>;
      standIn.asked.push(...(sent === '' ? [request.url?.split('/')[3] ?? ''] : accountIds));
      const balance = { balanceMicroCredits: amount, heldMicroCredits: '0' };
      const balances: AccountBalancesResponse['balances'] = Object.fromEntries(accountIds.map((id) => [id, balance]));
      const body = { availableMicroCredits: amount, booked: standIn.hasBooked, balances };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: BillingStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hasBooked: true,
    asked: [],
    questions: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return standIn;
}
