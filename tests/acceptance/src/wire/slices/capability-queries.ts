import { newAccount } from '../../support/accounts.js';
import { settledUsageOf } from '../../support/audit.js';
import type { Reply } from '../../support/http.js';
import { asObject } from '../../support/json.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/capabilities/query';
const capability = 'geo.distance';
const parameters = { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 };

/** Queries of one capability of the built-in catalogue; what calls of others say of its tools has placeholders. */
export const capabilityQueries: Slice = {
  name: 'capability-queries',
  async run(wire) {
    const { key } = await newAccount(20);
    wire.caller('anna', key);
    const poor = await newAccount(0.4);
    wire.caller('a poor caller', poor.key);
    const ask = (title: string, body: unknown, headers: Record<string, string> = {}, by = key): Promise<Reply> =>
      wire.ask(title, 'POST', path, { key: by, body, headers });

    // Replicas copy the catalogue by themselves.
    const isKnown = ({ json }: Reply): boolean => json['status'] === 'failure';
    await wire.ask('no candidate within the budget', 'POST', path, {
      key,
      body: { capability_id: capability, parameters, max_credits: 0.4 },
      until: isKnown,
    });
    const keyed = { 'idempotency-key': 'q-1' };
    const served = await ask(
      'a query',
      { capability_id: capability, parameters, provider_id: 'toolbox', max_credits: 1 },
      keyed,
    );
    await settledUsageOf(key, served.json['execution_id']);
    await wire.ask('the same again', 'POST', path, {
      key,
      body: { capability_id: capability, parameters, provider_id: 'toolbox', max_credits: 1 },
      headers: keyed,
      repeats: 'a query',
    });
    await ask(
      'another request under its key',
      { capability_id: capability, parameters, provider_id: 'toolbox', prefer: 'speed' },
      keyed,
    );
    await ask('more than the account has', { capability_id: capability, parameters }, {}, poor.key);
    await ask('a capability that is none', { capability_id: 'no.such' });
    await ask('providers that have none of its tools', {
      capability_id: capability,
      parameters,
      provider_ids: ['a', 'b'],
    });

    const invalid: readonly [string, object][] = [
      ['neither an id nor words', {}],
      ['both', { capability_id: capability, query: 'distance' }],
      ['both names of parameters', { capability_id: capability, parameters, params: parameters }],
      ['a blank id', { capability_id: ' ' }],
      ['a budget of nothing', { capability_id: capability, parameters, max_credits: 0 }],
      ['a budget in words', { capability_id: capability, parameters, max_credits: '1' }],
      ['members that it does not have', { capability_id: capability, tool_id: 'x', model: 'y' }],
      ['a list', []],
      ['wrong parameters', { capability_id: capability, parameters: { from_latitude: 'x', unit: 'm' } }],
    ];
    for (const [title, body] of invalid) await ask(`invalid: ${title}`, body);
    const { execution_id: id } = asObject(served.json);
    await wire.ask('the usage event of the query', 'GET', `/api/v1/auth/usage/history/v2?execution_id=${String(id)}`, {
      key,
    });
    await wire.ask('the query by its id', 'GET', `/api/v1/tools/executions/${String(id)}`, { key });
  },
};
