import type pg from 'pg';
import { oauthClientsIn } from './oauth-clients-in.js';

/** Removes every client of an account, and the tokens of each with it. Resolves to those that were not revoked before. */
export async function removeClients(tx: pg.ClientBase, accountId: string): Promise<string[]> {
  const clients = await oauthClientsIn(tx);
  const found = await clients.find({ select: { clientId: true, revokedAt: true }, where: { accountId } });
  await clients.delete({ accountId });
  return found.filter(({ revokedAt }) => revokedAt === null).map(({ clientId }) => clientId);
}
