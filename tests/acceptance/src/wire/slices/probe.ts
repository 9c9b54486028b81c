import { newAccount } from '../../support/accounts.js';
import type { Reply } from '../../support/http.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/tools/probe';

export const probe: Slice = {
  name: 'probe',
  async run(wire, { shelf }) {
    const { key } = await newAccount(7.5);
    wire.caller('anna', key);
    const toolId = shelf.idOf('count');
    const ask = (title: string, body: unknown, query: Record<string, string> = {}): Promise<Reply> =>
      wire.ask(title, 'POST', path, { key, body, query });

    await ask('everything that can be checked', {
      tool_id: toolId,
      parameters: { size: 3 },
      checks: ['schema', 'quote', 'coverage', 'sample'],
      live_budget: 'none',
    });
    await ask('without checks', { tool_id: toolId, parameters: { size: 3 } });
    await ask('the tool in the query', { parameters: { size: 3 }, checks: ['quote'] }, { tool_id: shelf.idOf('list') });
    await ask('a free tool', { tool_id: shelf.idOf('free'), parameters: { size: 3 }, checks: ['quote'] });
    await ask('a tool that may be cached', {
      tool_id: shelf.idOf('cached'),
      parameters: { size: 3 },
      checks: ['quote'],
    });
    await ask('a tool of some regions', {
      tool_id: shelf.idOf('regional'),
      parameters: { size: 3 },
      checks: ['schema'],
    });
    await ask('without parameters', { tool_id: toolId, checks: ['schema', 'quote'] });
    await ask('wrong parameters', {
      tool_id: toolId,
      parameters: { size: '3', colour: 'green', sise: 1 },
      checks: ['schema', 'quote'],
    });
    await ask('a budget for live questions', { tool_id: toolId, parameters: { size: 3 }, live_budget: 'sampled' });

    const invalid: readonly [string, unknown][] = [
      ['no tool', { parameters: {} }],
      ['an unknown tool', { tool_id: 'nobody.nothing.never.v1', parameters: {} }],
      ['no tool id', { tool_id: 'nothing', parameters: {} }],
      ['a tool id that is a number', { tool_id: 7, parameters: {} }],
      ['parameters that are a list', { tool_id: toolId, parameters: [] }],
      ['an unknown check', { tool_id: toolId, parameters: {}, checks: ['taste'] }],
      ['no checks', { tool_id: toolId, parameters: {}, checks: [] }],
      ['an unknown budget', { tool_id: toolId, parameters: {}, live_budget: 'all' }],
      ['a list', []],
    ];
    for (const [title, body] of invalid) await ask(title, body);
    await ask('another tool in the query', { tool_id: toolId, parameters: {} }, { tool_id: shelf.idOf('list') });
  },
};
