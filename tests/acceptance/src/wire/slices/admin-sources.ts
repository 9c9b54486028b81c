import { adminKey } from '../../support/environment.js';
import type { Reply } from '../../support/http.js';
import type { JsonObject } from '../../support/json.js';
import { startLibraryApi } from '../../support/library-api.js';
import { startMcpServer } from '../../support/mcp-server.js';
import type { Slice } from '../slice.js';

const sources = '/admin/v1/sources';
const loopback = { allow_http: true, allow_networks: ['127.0.0.0/8'] };

/** OpenAPI documents and MCP servers that become tools. Each is read in a thread of its own, so there are few. */
export const adminSources: Slice = {
  name: 'admin-sources',
  async run(wire, provider) {
    const [library, mcp] = await Promise.all([startLibraryApi(provider.id), startMcpServer(provider.id)]);
    const [books, depths] = [`${provider.id}books`, `${provider.id}depths`];
    wire.name('library', new URL(library.documentUrl).origin);
    wire.name('mcp server', new URL(mcp.url).origin);
    const gone = await startLibraryApi(provider.id);
    await gone.close();
    wire.name('library that is away', new URL(gone.documentUrl).origin);
    const ask = (title: string, method: string, path: string, body?: unknown): Promise<Reply> =>
      wire.ask(title, method, `${sources}${path}`, { key: adminKey, ...(body === undefined ? {} : { body }) });
    try {
      const openapi = { provider: { provider_id: books, egress: loopback }, url: library.documentUrl };
      await ask('an OpenAPI document, as it would be taken', 'POST', '/openapi', { ...openapi, dry_run: true });
      await ask('an OpenAPI document', 'POST', '/openapi', openapi);
      library.edition = 2;
      await ask('a change waits', 'POST', `/${books}:refresh`, {});
      const tool = `${books}.books.list.v1`;
      const decide = (title: string, method: string, path: string): Promise<Reply> =>
        wire.ask(title, method, `/admin/v1/tools${path}`, { key: adminKey });
      await decide('what waits', 'GET', `?provider_id=${books}&status=quarantined`);
      await decide('what it would change', 'GET', `/${tool}/versions/1/diff/proposal`);
      await decide('it is rejected', 'POST', `/${tool}:reject`);
      const described = {
        provider: { provider_id: depths, name: { en: 'D' }, description: { en: 'D.' }, egress: loopback },
      };
      const served = {
        ...described,
        server: { transport: 'streamable_http', url: mcp.url },
        price: { amount_credits: '0.25' },
      };
      await ask('an MCP server', 'POST', '/mcp', served);
      const ours = (source: JsonObject): boolean => [books, depths].includes(String(source['source_id']));
      // Later tests may add others behind them.
      await wire.ask('the sources', 'GET', `${sources}?limit=2&after=${provider.id}`, { key: adminKey, only: ours });

      const document = (await (await fetch(library.documentUrl)).json()) as JsonObject;
      const sent = {
        provider: { provider_id: `${provider.id}sent`, egress: loopback },
        server_url: library.documentUrl,
      };
      await ask('a document that is sent', 'POST', '/openapi', { ...sent, document });
      await ask('what was sent cannot be read again', 'POST', `/${provider.id}sent:refresh`);
      const none = { provider: { provider_id: `${provider.id}none` } };
      const away = { provider: { provider_id: `${provider.id}none`, egress: loopback }, url: gone.documentUrl };
      const faults: readonly [string, string, JsonObject][] = [
        ['no document', '/openapi', none],
        ['a document that is none', '/openapi', { ...none, document: '{"openapi": "3.1.0"}' }],
        ['an address of the inside', '/openapi', { ...none, url: 'https://127.0.0.1:1/openapi.json' }],
        ['a server that is away', '/openapi', away],
        ['a password in the address', '/openapi', { ...none, url: 'https://me:pw@a.example/openapi.json' }],
        ['an unknown member', '/openapi', { ...none, url: library.documentUrl, colour: 'red' }],
        ['no provider', '/openapi', { url: library.documentUrl }],
        ['no server', '/mcp', none],
        ['a command that is not configured', '/mcp', { ...none, server: { transport: 'stdio', command: 'corpus' } }],
        ['a command line', '/mcp', { ...none, server: { transport: 'stdio', command: 'rm -rf x' } }],
      ];
      for (const [title, path, body] of faults) await ask(`refused: ${title}`, 'POST', path, body);
      await ask('an unknown source', 'POST', '/nobody:refresh');
      await ask('an unknown action', 'POST', `/${books}:forget`);
      await ask('an unknown member of a refresh', 'POST', `/${books}:refresh`, { colour: 'red' });
      for (const fault of ['limit=0', 'limit=100000', 'other=1'])
        await ask(`the list, refused: ${fault}`, 'GET', `?${fault}`);
    } finally {
      await Promise.all([library.close(), mcp.close()]);
    }
  },
};
