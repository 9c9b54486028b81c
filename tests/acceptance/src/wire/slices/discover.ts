import { newAccount } from '../../support/accounts.js';
import type { Reply } from '../../support/http.js';
import type { Slice } from '../slice.js';

const path = '/api/v1/search';

/** By the id of a tool a search finds that tool alone, whatever else the catalogue has. */
export const discover: Slice = {
  name: 'discover',
  async run(wire, { shelf }) {
    const { key } = await newAccount(7.5);
    wire.caller('anna', key);
    const tool = shelf.idOf('list');
    const ask = (title: string, body: unknown, whole = true, headers = {}): Promise<Reply> =>
      wire.ask(title, 'POST', path, { key, body, headers, ...(whole ? { inTime: 'remaining_credits' } : {}) });

    await ask('a tool by its id', { query: tool });
    await ask('a tool by a word that only it has', { query: shelf.word, limit: 1 });
    await ask('as routing cards', { query: tool, view: 'routing' });
    await ask('with everything that may be sent', {
      query: tool,
      limit: 100,
      session_id: 'a task',
      view: 'full',
      lang: 'en',
      search_id: null,
      unknown_member: [1],
    });
    await ask('a tool with metered price', { query: shelf.idOf('count') });
    await ask('a free tool', { query: shelf.idOf('free') });
    await ask('a tool of some regions', { query: shelf.idOf('regional') });
    await ask('in Chinese', { query: shelf.idOf('cached'), lang: 'zh' });
    await ask('in Chinese by the header', { query: shelf.idOf('cached') }, true, {
      'accept-language': 'zh-CN,zh;q=0.9',
    });
    await ask('signs without a word', { query: '?!' });

    const invalid: readonly [string, unknown][] = [
      ['no query', {}],
      ['a query that is a number', { query: 7 }],
      ['a query that is null', { query: null }],
      ['an empty query', { query: '' }],
      ['a blank query', { query: '  ' }],
      ['a query with a control character', { query: 'a\u0007b' }],
      ['a query of 2,001 characters', { query: 'x'.repeat(2_001) }],
      ['limit 0', { query: 'x', limit: 0 }],
      ['limit 101', { query: 'x', limit: 101 }],
      ['limit 1.5', { query: 'x', limit: 1.5 }],
      ['limit as text', { query: 'x', limit: '5' }],
      ['an unknown view', { query: 'x', view: 'slim' }],
      ['an unknown language', { query: 'x', lang: 'fr' }],
      ['a session that is no text', { query: 'x', session_id: 7 }],
      ['several faults', { limit: 0, view: 'slim' }],
      ['a list', []],
      ['a text', 'x'],
      ['null', null],
    ];
    for (const [title, body] of invalid) await ask(title, body, false);
  },
};
