import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import type { Slice } from '../slice.js';

const accounts = '/admin/v1/accounts';
const nobody = `acc_${'0'.repeat(32)}`;
const capability = 'geo.distance';

/** Requests of an account while it is suspended, blocked for non-payment, and closed. */
export const accountStates: Slice = {
  name: 'account-states',
  async run(wire, provider) {
    const { accountId, key } = await newAccount(5);
    wire.caller('anna', key);
    const act = (title: string, action: string, of = accountId): Promise<Reply> =>
      wire.ask(title, 'POST', `${accounts}/${of}:${action}`, { key: adminKey });
    const read = (title: string): Promise<Reply> => wire.ask(title, 'GET', '/api/v1/auth/credits', { key });

    await act('a suspension', 'suspend');
    await act('the suspension again', 'suspend');
    await read('credits of a suspended account');
    await act('the end of a suspension', 'resume');
    await act('a block for non-payment', 'block');
    await read('credits of a blocked account');
    await wire.ask('a call of a blocked account', 'POST', '/api/v1/tools/execute', {
      key,
      body: { tool_id: provider.idOf('list'), parameters: { size: 3 } },
    });
    await wire.ask('a query of a blocked account', 'POST', '/api/v1/capabilities/query', {
      key,
      body: { capability_id: capability, parameters: {} },
    });
    await wire.ask('a capability, for a blocked account', 'GET', `/api/v1/capabilities/${capability}`, { key });
    await act('the end of a block', 'unblock');
    await act('the end of an account', 'close');
    await act('that end again', 'close');
    await read('credits of a closed account');
    await act('a closed account is not resumed', 'resume');
    await act('an action that there is not', 'freeze');
    await act('a suspension of nobody', 'suspend', nobody);
    await act('a suspension of no account id', 'suspend', 'nobody');
  },
};
