import { newAccount } from '../../support/accounts.js';
import type { Reply } from '../../support/http.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/tools/by-ids';

export const inspect: Slice = {
  name: 'inspect',
  async run(wire, { shelf }) {
    const { key } = await newAccount(7.5);
    wire.caller('anna', key);
    const ask = (title: string, body: unknown, whole = true, headers = {}): Promise<Reply> =>
      wire.ask(title, 'POST', path, { key, body, headers, ...(whole ? { inTime: 'remaining_credits' } : {}) });

    await ask('two tools in the order of the request', { tool_ids: [shelf.idOf('count'), shelf.idOf('list')] });
    await ask('lean', { tool_ids: [shelf.idOf('list')], view: 'lean' });
    await ask('the same tool twice, and one that there is not', {
      tool_ids: [shelf.idOf('free'), shelf.idOf('free'), 'nobody.nothing.never.v1'],
    });
    await ask('with everything that may be sent', {
      tool_ids: [shelf.idOf('cached')],
      search_id: `srch_${'0'.repeat(32)}`,
      session_id: 'a task',
      view: 'full',
      unknown_member: [1],
    });
    await ask('no search', { tool_ids: [shelf.idOf('regional')], search_id: null });
    await ask('a search that is none', { tool_ids: ['a.b.c.v1'], search_id: 'srch_1' });
    await ask('in Chinese', { tool_ids: [shelf.idOf('partial')] }, true, { 'accept-language': 'zh' });
    await ask('only tools that there are not', { tool_ids: ['nobody.nothing.never.v1', 'no id'] });

    const invalid: readonly [string, unknown][] = [
      ['no tool ids', {}],
      ['an empty list', { tool_ids: [] }],
      ['ids that are no list', { tool_ids: 'a.b.c.v1' }],
      ['an id that is a number', { tool_ids: [7] }],
      ['101 ids', { tool_ids: Array.from({ length: 101 }, (_, index) => `a.b.c.v${index + 1}`) }],
      ['an unknown view', { tool_ids: ['a.b.c.v1'], view: 'slim' }],
      ['a search that is no text', { tool_ids: ['a.b.c.v1'], search_id: 7 }],
      ['a list', []],
    ];
    for (const [title, body] of invalid) await ask(title, body, false);
  },
};
