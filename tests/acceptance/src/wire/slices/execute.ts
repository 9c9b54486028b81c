import { admin, newAccount } from '../../support/accounts.js';
import type { CallOptions, Reply } from '../../support/http.js';
import type { JsonObject } from '../../support/json.js';
import type { ToolName } from '../corpus-provider.js';
import { settled } from '../settled.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/tools/execute';

export const execute: Slice = {
  name: 'execute',
  async run(wire, provider) {
    const { key } = await newAccount(20);
    wire.caller('anna', key);
    const send = (title: string, body: unknown, options: CallOptions = {}): Promise<Reply> =>
      wire.ask(title, 'POST', path, { key, body, ...options });
    const ask = (title: string, name: ToolName, more: JsonObject = {}, options: CallOptions = {}): Promise<Reply> =>
      send(title, { tool_id: provider.idOf(name), parameters: { size: 3 }, ...more }, options);
    /** `remaining_credits` after a call counts the holds of the calls before it that are not settled yet. */
    const paid: typeof ask = async (...args) => {
      await settled(key);
      return ask(...args);
    };

    await paid('a call that is paid for', 'list');
    await paid('with everything that may be sent', 'list', {
      parameters: { size: 1, colour: 'red' },
      search_id: `srch_${'0'.repeat(32)}`,
      session_id: 'a task',
      model: 'large-1',
      max_response_size: 20_480,
      respond_with: 'full',
      max_credits: 0.5,
      unknown_member: true,
    });
    await settled(key);
    await send('the tool in the query', { parameters: { size: 2 } }, { query: { tool_id: provider.idOf('list') } });
    await paid('paid by the row', 'count', { parameters: { size: 7 } });
    await paid('paid by the row, and none came', 'count', { parameters: { size: 0 } });
    await paid('partly delivered', 'partial');
    await paid('not in the cache', 'cached', {}, { headers: { 'x-service-cache-mode': 'bypass' } });
    await paid('truncated', 'list', { max_response_size: 50 });
    await paid('not truncated', 'list', { parameters: { size: 1 }, max_response_size: -1 });
    await paid('as summary', 'list', { respond_with: 'summary' });
    await paid('some fields', 'list', { respond_with: 'fields:$.things[*].name, $.things[0].index' });
    await paid('a field that is not there', 'list', { respond_with: 'fields:$.nothing' });
    await paid('some fields, truncated', 'list', { respond_with: 'fields:$.things', max_response_size: 20 });

    await paid('an empty result', 'empty');
    await paid('a provider that fails', 'failing');
    await paid('a provider that limits', 'limiting');
    await paid('a provider that denies', 'denying');
    await paid('a provider that answers garbage', 'garbled');
    await paid('a provider that hangs up', 'dropping');
    await paid('a provider that is too slow', 'slow');
    await paid('a provider at an address that is not open', 'inner');
    await paid('a region that is not open', 'regional');
    await paid('no credential for the provider', 'keyed');

    const known = { tool_id: provider.idOf('list'), parameters: { size: 3 } };
    const invalid: readonly [string, unknown][] = [
      ['no tool', { parameters: {} }],
      ['an unknown tool', { tool_id: 'nobody.nothing.never.v1', parameters: {} }],
      ['a tool id that is none', { tool_id: 'not a tool id', parameters: {} }],
      ['a tool id of digits', { tool_id: '12345', parameters: {} }],
      ['no parameters', { tool_id: known.tool_id }],
      ['parameters that are a list', { ...known, parameters: [1] }],
      ['parameters that are null', { ...known, parameters: null }],
      ['a parameter is missing', { ...known, parameters: {} }],
      ['a parameter of another type', { ...known, parameters: { size: '3' } }],
      ['a parameter out of its bounds', { ...known, parameters: { size: 501 } }],
      ['a parameter that is none of a list', { ...known, parameters: { size: 3, colour: 'green' } }],
      ['a parameter by a wrong name', { ...known, parameters: { size: 3, color: 'red' } }],
      ['several faults', { ...known, parameters: { colour: 7, sise: 3 } }],
      ['max_response_size 0', { ...known, max_response_size: 0 }],
      ['max_response_size as text', { ...known, max_response_size: '100' }],
      ['an unknown respond_with', { ...known, respond_with: 'everything' }],
      ['respond_with without fields', { ...known, respond_with: 'fields:' }],
      ['respond_with of a broken path', { ...known, respond_with: 'fields:$.[' }],
      ['a model that is no text', { ...known, model: 7 }],
      ['a session that is no text', { ...known, session_id: [] }],
      ['a search that is none', { ...known, search_id: 'x' }],
      ['max_credits 0', { ...known, max_credits: 0 }],
      ['max_credits with seven decimals', { ...known, max_credits: 0.0000001 }],
      ['a list', []],
      ['null', null],
    ];
    for (const [title, body] of invalid) await send(title, body);
    await send('another tool in the query', known, { query: { tool_id: provider.idOf('count') } });
    await ask('an unknown cache mode', 'list', {}, { headers: { 'x-service-cache-mode': 'turbo' } });

    await settled(key);
    await ask('more than the call may cost', 'list', { max_credits: 0.499999 });
    const poor = await newAccount(0.4);
    wire.caller('a poor account', poor.key);
    await ask('more than there is', 'list', {}, { key: poor.key });
    const bounded = await admin('POST', `/accounts/${poor.accountId}/api-keys`, {
      name: 'bounded',
      scopes: ['call'],
      budget: { amount_credits: 0.1, period: 'total' },
      session_budget: { amount_credits: 0.05 },
    });
    const boundedKey = String(bounded['api_key']);
    wire.caller('a key with budgets', boundedKey);
    await ask('more than the budgets', 'list', {}, { key: boundedKey });
  },
};
