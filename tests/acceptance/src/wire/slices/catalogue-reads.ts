import { newAccount } from '../../support/accounts.js';
import type { Reply } from '../../support/http.js';
import type { JsonObject } from '../../support/json.js';
import type { Slice } from '../slice.js';

/** Providers, categories and capabilities. */
export const catalogueReads: Slice = {
  name: 'catalogue-reads',
  async run(wire, { shelf }) {
    const { key } = await newAccount(7.5);
    wire.caller('anna', key);
    const get = (title: string, path: string, headers: Record<string, string> = {}): Promise<Reply> =>
      wire.ask(title, 'GET', path, { key, headers });

    await get('a provider by its name', `/api/v1/providers?query=${shelf.id}`);
    await get('providers behind the last', '/api/v1/providers?query=zwnobody&skip=10&limit=1');
    for (const fault of [
      'limit=0',
      'limit=101',
      'skip=-1',
      'sort_by=age',
      'sort_order=up',
      'lang=fr',
      `query=${'x'.repeat(201)}`,
    ]) {
      await get(`providers, refused: ${fault.slice(0, 30)}`, `/api/v1/providers?${fault}`);
    }
    // Counts of tools grow with what other tests publish.
    const shipped = ({ slug }: JsonObject): boolean => slug === 'no-such-category';
    await wire.ask('categories', 'GET', '/api/v1/providers/categories?lang=en', { key, only: shipped });
    await get('categories, refused', '/api/v1/providers/categories?lang=fr');

    await wire.ask('capabilities by their names', 'GET', `/api/v1/capabilities?query=${shelf.id}%20LIST`, {
      key,
      until: ({ json }) => json['total'] === 1,
    });
    await get('capabilities in Chinese', `/api/v1/capabilities?query=${shelf.id}%20list&lang=zh`);
    await get('capabilities behind the last', `/api/v1/capabilities?query=${shelf.id}%20list&skip=10&limit=1`);
    for (const fault of ['limit=0', 'limit=101', 'skip=-1', 'lang=fr', `query=${'x'.repeat(201)}`]) {
      await get(`capabilities, refused: ${fault.slice(0, 30)}`, `/api/v1/capabilities?${fault}`);
    }
    await wire.ask('a capability that a tool declares', 'GET', `/api/v1/capabilities/${shelf.id}.things.list`, {
      key,
      inTime: 'remaining_credits',
    });
    await wire.ask('a capability in Chinese', 'GET', `/api/v1/capabilities/${shelf.id}.things.list`, {
      key,
      headers: { 'accept-language': 'zh' },
      inTime: 'remaining_credits',
    });
    await get('a capability that nobody declares', '/api/v1/capabilities/no.such');
    await get('a capability id that is too long', `/api/v1/capabilities/${'x'.repeat(201)}`);
    await get('a blank capability id', '/api/v1/capabilities/%20');
    await wire.ask('a query of a capability without a contract', 'POST', '/api/v1/capabilities/query', {
      key,
      body: { capability_id: `${shelf.id}.things.list`, parameters: {} },
    });
  },
};
