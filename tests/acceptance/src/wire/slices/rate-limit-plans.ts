import { newAccount } from '../../support/accounts.js';
import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import type { Slice } from '../slice.js';

const plans = '/admin/v1/rate-limit-plans';
const nobody = `acc_${'0'.repeat(32)}`;
const name = 'recorded';

/** Named limits, and which accounts have them. */
export const rateLimitPlans: Slice = {
  name: 'rate-limit-plans',
  async run(wire) {
    const { accountId, key } = await newAccount(1);
    wire.caller('anna', key);
    const told = ({ text }: Reply): boolean => !text.includes('"pending"');
    const ask = (title: string, method: string, path: string, body?: unknown): Promise<Reply> =>
      wire.ask(title, method, path, { key: adminKey, ...(body === undefined ? {} : { body }), until: told });
    const ofAnna = `/admin/v1/accounts/${accountId}/rate-limit-plan`;

    await ask('a plan', 'PUT', `${plans}/${name}`, { per_minute: { call: 500, read: 7 } });
    await ask('that plan', 'GET', `${plans}/${name}`);
    await wire.ask('the plans', 'GET', plans, { key: adminKey, only: (item) => item['name'] === name });
    await ask('a default plan', 'GET', `${plans}/trial`);
    await ask('the plan of an account', 'GET', ofAnna);
    await ask('another plan of an account', 'PUT', ofAnna, { plan: name });
    await wire.ask('a read under that plan', 'GET', '/api/v1/auth/credits', { key });
    await ask('the end of a plan in use', 'DELETE', `${plans}/${name}`);
    await ask('the default plan of an account', 'PUT', ofAnna, { plan: null });
    await wire.ask('a read under the default plan', 'GET', '/api/v1/auth/credits', { key });
    await ask('the end of a plan', 'DELETE', `${plans}/${name}`);
    await ask('the end of no plan', 'DELETE', `${plans}/${name}`);
    await ask('the end of a default plan', 'DELETE', `${plans}/formal`);
    await ask('no plan', 'GET', `${plans}/${name}`);
    const refused: readonly [string, unknown][] = [
      ['a limit of nothing', { per_minute: { call: 0 } }],
      ['a limit that is too high', { per_minute: { call: 1_000_001 } }],
      ['a limit of an unknown surface', { per_minute: { calls: 1 } }],
      ['no limits', {}],
    ];
    for (const [title, body] of refused) await ask(title, 'PUT', `${plans}/${name}`, body);
    await ask('a name that a plan cannot have', 'PUT', `${plans}/Gold`, { per_minute: {} });
    await ask('an account with no such plan', 'PUT', ofAnna, { plan: name });
    await ask('an account with a plan of no name', 'PUT', ofAnna, {});
    await ask('the plan of nobody', 'GET', `/admin/v1/accounts/${nobody}/rate-limit-plan`);
    await ask('a plan for nobody', 'PUT', `/admin/v1/accounts/${nobody}/rate-limit-plan`, { plan: null });
  },
};
