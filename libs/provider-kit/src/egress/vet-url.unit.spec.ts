import { describe, expect, it } from '@jest/globals';
import { EgressRefusedError } from './egress-error.js';
import { vetUrl } from './vet-url.js';

const refusalOf = (url: string, egress: Parameters<typeof vetUrl>[1] = {}): string | undefined => {
  try {
    vetUrl(url, egress);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(EgressRefusedError);
    return (error as EgressRefusedError).refusal;
  }
};

describe('a URL', () => {
  it.each([
    ['http://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://example.com/', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['https://user@example.com/', 'userinfo'],
    ['https://user:password@example.com/', 'userinfo'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:25/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:6667/', 'port'],
    ['https://', 'invalid_url'],
    ['https://./', 'invalid_url'],
    ['https://example.com../', 'invalid_url'],
    ['https://exa mple.com/', 'invalid_url'],
    ['example.com', 'invalid_url'],
    [`https://example.com/${'x'.repeat(20_000)}`, 'invalid_url'],
  ])('%s is refused for its %s', (url, refusal) => {
    expect(refusalOf(url)).toBe(refusal);
  });

  it.each(['https://example.com/', 'https://example.com:8443/a?b#c', 'https://[2606:4700::1]/'])(
    '%s is fine',
    (url) => {
      expect(refusalOf(url)).toBeUndefined();
    },
  );

  it('may be http: where the provider may use it', () => {
    expect(refusalOf('http://example.com/', { allowHttp: true })).toBeUndefined();
  });

  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://0177.0.0.01/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://１２７.０.０.１/', '127.0.0.1'],
    ['http://ⓔⓧⓐⓜⓟⓛⓔ.com/', 'example.com'],
    ['http://bücher.example/', 'xn--bcher-kva.example'],
    ['http://EXAMPLE.com./', 'example.com'],
    ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
  ])('%s means %s', (url, host) => {
    expect(vetUrl(url, { allowHttp: true }).hostname).toBe(host);
  });
});

describe('the hosts of a provider', () => {
  const egress = { allowHosts: ['api.example.com', '*.cdn.example.com'] };

  it.each(['api.example.com', 'API.example.com.', 'a.cdn.example.com', 'a.b.cdn.example.com'])('let %s out', (host) => {
    expect(refusalOf(`https://${host}/`, egress)).toBeUndefined();
  });

  it.each(['example.com', 'cdn.example.com', 'evilcdn.example.com', 'api.example.com.evil.org', '1.2.3.4'])(
    'keep %s in',
    (host) => {
      expect(refusalOf(`https://${host}/`, egress)).toBe('host');
    },
  );
});
