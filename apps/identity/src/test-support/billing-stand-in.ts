import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers on the loopback, as billing does, what an account can spend and whether a grant is booked. */
export interface BillingStandIn {
  readonly url: string;
  /** Has it booked the grants that it is asked about? */
  hasBooked: boolean;
  /** Accounts that it was asked about, once for each question. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startBillingStandIn(): Promise<BillingStandIn> {
  const server = createServer((request, response) => {
    standIn.asked.push(request.url?.split('/')[3] ?? '');
    const body = JSON.stringify({
      availableMicroCredits: standIn.hasBooked ? '1000000' : '0',
      booked: standIn.hasBooked,
    });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: BillingStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hasBooked: true,
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return standIn;
}
