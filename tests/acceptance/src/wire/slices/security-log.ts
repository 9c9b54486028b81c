import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Slice } from '../slice.js';

const own = '/api/v1/auth/security-log';
const all = '/admin/v1/security-log';

/** Who did what to an account, as its owner and as administrators read it, and whether the log is as it was written. */
export const securityLog: Slice = {
  name: 'security-log',
  async run(wire) {
    const { accountId, key, keyId } = await newAccount(1);
    wire.caller('anna', key);
    const byAdmin = { key: adminKey };
    const hides = ['items'];
    await wire.ask('the own log', 'GET', own, { key, hides });
    await wire.ask('the own log, refused', 'GET', `${own}?limit=0`, { key });
    const told = ({ text }: { readonly text: string }): boolean => !text.includes('"pending"');
    await wire.ask('a revocation', 'DELETE', `/admin/v1/api-keys/${keyId}`, { ...byAdmin, until: told });
    await wire.ask('who revoked it', 'GET', `${all}?account_id=${accountId}&action=key.revoked`, byAdmin);
    await wire.ask('the log, refused', 'GET', `${all}?actor=anna`, byAdmin);
    const verification = `${all}/verification?account_id=${accountId}`;
    await wire.ask('whether it is sound', 'GET', verification, byAdmin);
    await wire.ask('whether it is sound, refused', 'GET', `${all}/verification?cursor=x`, byAdmin);
  },
};
