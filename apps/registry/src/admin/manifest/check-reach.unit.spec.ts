import { describe, expect, it } from '@jest/globals';
import { providerDocument, toolDocument } from '../test-support/sample-manifest.js';
import { readManifest } from './read-manifest.js';

const read = (document: unknown) => readManifest(document, { base: [], maxValues: 10_000 });
const faultsOf = (document: unknown): string[] => {
  const result = read(document);
  return result.ok ? [] : result.error.map(({ type, loc }) => `${type} ${loc.join('.')}`);
};
const http = (over: Record<string, unknown> = {}) => ({ ...(toolDocument()['binding'] as object), ...over });

describe('the egress of a provider', () => {
  const oauth = { kind: 'oauth2_client_credentials', token_url: 'https://tokens.example/token' };
  const server = { transport: 'streamable_http', url: 'http://mcp.example/mcp' };

  it.each<[string, object, object, string[]]>([
    ['https alone', {}, http({ url: 'http://api.example/{city}' }), ['value_error tools.0.binding.url']],
    [
      'a port of another protocol',
      {},
      http({ url: 'https://api.example:22/{city}' }),
      ['value_error tools.0.binding.url'],
    ],
    [
      'other hosts, also of its tokens',
      { allow_hosts: ['*.api.example'] },
      http({ url: 'https://api.example/{city}', auth: oauth }),
      ['value_error tools.0.binding.url', 'value_error tools.0.binding.auth.token_url'],
    ],
    [
      'no plain MCP server',
      { allow_hosts: ['mcp.example'] },
      { kind: 'mcp', server, tool: 'x' },
      ['value_error tools.0.binding.server.url'],
    ],
    ['what is asked', { allow_http: true, allow_hosts: ['mcp.example'] }, { kind: 'mcp', server, tool: 'x' }, []],
    ['a host below', { allow_hosts: ['*.example'] }, http({ url: 'https://API.example/{city}' }), []],
    ['an address, which is judged when it is dialled', {}, http({ url: 'https://127.0.0.1/{city}' }), []],
  ])('that lets out %s is held to by its tools', (_what, egress, binding, faults) => {
    expect(faultsOf(providerDocument({ egress, tools: [toolDocument({ binding })] }))).toEqual(faults);
  });

  it('is named by the refusal', () => {
    const result = read(
      providerDocument({ tools: [toolDocument({ binding: http({ url: 'http://a.example/{city}' }) })] }),
    );
    expect(result).toMatchObject({
      error: [{ msg: 'http: is not allowed; use https:. What may be reached is set by "egress" of the provider' }],
    });
  });
});
