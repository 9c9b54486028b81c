import { newAccount, newKey } from '../../support/accounts.js';
import type { JsonObject } from '../../support/json.js';
import type { Slice } from '../slice.js';

const path = '/mcp';
const revision = '2026-07-28';
const accept = 'application/json, text/event-stream';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The endpoint of MCP. What its tools answer is what the interface answers, so that one of them stands for all. */
export const mcp: Slice = {
  name: 'mcp',
  async run(wire) {
    const { accountId, key } = await newAccount(5);
    wire.caller('anna', key);
    const reader = await newKey(accountId, ['read']);
    wire.caller('a reader', reader.key);

    const send = (
      title: string,
      message: JsonObject,
      options: { key?: string; headers?: Record<string, string> } = {},
    ) => {
      const { method, params } = message as { readonly method: string; readonly params?: { readonly name?: string } };
      const name: Record<string, string> = params?.name === undefined ? {} : { 'mcp-name': params.name };
      return wire.ask(title, 'POST', path, {
        key: options.key ?? key,
        body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
        headers: { accept, 'mcp-protocol-version': revision, 'mcp-method': method, ...name, ...options.headers },
      });
    };
    const call = (title: string, name: string, given: JsonObject, options: { key?: string } = {}) =>
      send(title, { method: 'tools/call', params: { name, arguments: given } }, options);

    await wire.ask('what tokens are good for', 'GET', '/.well-known/oauth-protected-resource/mcp');
    await wire.ask('no key', 'POST', path, { body: { jsonrpc: '2.0', id: 1, method: 'ping' }, headers: { accept } });
    await wire.ask('a stream of the server', 'GET', path, { key, headers: { accept } });
    await wire.ask('the handshake of 2025-11-25', 'POST', path, {
      key,
      headers: { accept },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'wire', version: '1' } },
      },
    });
    await send('what the server is', { method: 'server/discover' });
    await send('the tools', { method: 'tools/list' });
    await call('a list', 'credits_ledger', { limit: 1, scope: 'all' });
    await call('a list that is refused', 'credits_ledger', { direction: 'up' });
    await call('a scope too few', 'discover', { query: 'x' }, { key: reader.key });
    await call('a tool that there is not', 'nothing', {});
    await send('a method that there is not', { method: 'resources/list' });
    await send('a page that nobody named', { method: 'tools/list' }, { headers: { origin: 'https://evil.example' } });
    await send('another name in the header', { method: 'tools/list' }, { headers: { 'mcp-method': 'tools/call' } });
    await wire.ask('a revision that there is not', 'POST', path, {
      key,
      headers: { accept, 'mcp-protocol-version': '2024-11-05' },
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
    await wire.ask('no accepted stream', 'POST', path, { key, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    await wire.ask('a batch', 'POST', path, {
      key,
      headers: { accept },
      body: [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
    });
    await wire.ask('no JSON', 'POST', path, { key, headers: { accept }, rawBody: '{' });
  },
};
