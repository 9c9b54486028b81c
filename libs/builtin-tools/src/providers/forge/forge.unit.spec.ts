import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@capability-router/kernel';
import { runTool } from '../../test-support/run-tool.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

describe('a hash', () => {
  // FIPS 180-4, FIPS 202, the Keccak team, RFC 7693, the BLAKE3 test vectors, the RIPEMD-160 page: all of "abc".
  it.each([
    ['sha-256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['keccak-256', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    ['blake3', '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85'],
    ['ripemd-160', '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc'],
  ])('%s', async (algorithm, hex) => {
    expect(await runTool('forge.hash.digest.v1', { text: 'abc', algorithm })).toMatchObject({ hex });
  });

  it('with a key is an HMAC of RFC 4231', async () => {
    const parameters = { text: 'what do ya want for nothing?', hmac_key: 'Jefe' };
    expect(await runTool('forge.hash.digest.v1', parameters)).toMatchObject({
      hex: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      hmac: true,
    });
  });

  it('is the same by two libraries, of any script', async () => {
    const text = '柏林 Berlin 🐻';
    const { hex } = (await runTool('forge.hash.digest.v1', { text, algorithm: 'sha-512' })) as JsonObject;
    expect(await runTool('toolbox.hash.digest.v1', { input: text, function: 'sha512' })).toEqual({ checksum: hex });
  });
});

describe('a colour', () => {
  it('beyond sRGB is brought into it and said so', async () => {
    expect(await runTool('forge.color.convert.v1', { color: 'color(display-p3 0 1 0)' })).toMatchObject({
      hex: '#00ff00',
      in_srgb: false,
    });
  });

  it('that is none is refused with an example', async () => {
    await expect(runTool('forge.color.convert.v1', { color: 'bluish' })).rejects.toThrow('#663399');
    await expect(runTool('forge.color.convert.v1', { color: 'red', background: 'x(1)' })).rejects.toThrow('background');
    await expect(runTool('toolbox.color.convert.v1', { value: 'bluish' })).rejects.toThrow(ToolInputError);
  });
});

describe('encoding', () => {
  const code = (text: string, format: string, direction = 'encode') =>
    runTool('forge.text.encode.v1', { text, format, direction });

  // RFC 4648, and the Bitcoin wiki for Base58.
  it.each([
    ['base64', 'foob', 'Zm9vYg=='],
    ['base64url', '<<???>>', 'PDw_Pz8-Pg=='],
    ['base32', 'foob', 'MZXW6YQ='],
    ['base58', 'Hello World!', '2NEpo7TZRRrLZSi2U'],
    ['hex', 'é', 'c3a9'],
    ['url', 'a b&c/é', 'a%20b%26c%2F%C3%A9'],
  ])('%s of %s is %s and comes back', async (format, text, encoded) => {
    expect(await code(text, format)).toEqual({ text: encoded });
    expect(await code(encoded, format, 'decode')).toEqual({ text });
  });

  it('gives bytes that are no text as hexadecimal', async () => {
    expect(await code('/////w==', 'base64', 'decode')).toEqual({ text: null, hex: 'ffffffff' });
  });

  it.each([
    ['Zm9v!', 'base64'],
    ['%E4%', 'url'],
    ['abc', 'hex'],
    ['0OIl', 'base58'],
  ])('%s is not %s, and the message says so', async (text, format) => {
    await expect(code(text, format, 'decode')).rejects.toThrow(`decoded from ${format}`);
  });

  it('of a long text as Base58 is refused: it takes quadratic time', async () => {
    await expect(code('a'.repeat(1_001), 'base58')).rejects.toThrow('at most 1000');
  });
});

describe('identifiers', () => {
  it.each([
    ['uuid_v4', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ['uuid_v7', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ['ulid', /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
  ])('%s are well formed and each is new', async (kind, form) => {
    const { rows } = (await runTool('forge.id.generate.v1', { kind, limit: 1_000 })) as { rows: string[] };
    expect(new Set(rows).size).toBe(1_000);
    for (const row of rows) expect(row).toMatch(form);
  });
});

describe('versions', () => {
  const compare = (parameters: JsonObject) => runTool('forge.version.compare.v1', parameters);

  it('are ordered as semver says, pre-releases first', async () => {
    const versions = ['1.0.0', '1.0.0-rc.1', '1.0.0-beta.11', '1.0.0-beta.2', 'x'];
    expect(await compare({ versions })).toMatchObject({
      sorted: ['1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0'],
      invalid: ['x'],
      satisfying: null,
    });
  });

  it('that are none, and a range that is none, are refused', async () => {
    await expect(compare({ versions: ['one'] })).rejects.toThrow('1.4.0');
    await expect(compare({ versions: ['1.0.0'], range: 'newest' })).rejects.toThrow('^1.2');
  });
});

describe('a URL', () => {
  it('of a private suffix, of an address, with credentials', async () => {
    const parse = (url: string) => runTool('forge.url.parse.v1', { url });
    expect(await parse('https://me.github.io/x')).toMatchObject({ registrable_domain: 'me.github.io' });
    expect(await parse('http://u:p@[::1]:80/')).toMatchObject({ is_ip_address: true, has_credentials: true });
    expect(await parse('http://例子.中国/')).toMatchObject({ host: 'xn--fsqu00a.xn--fiqs8s' });
    await expect(parse('example.com/path')).rejects.toThrow('https://');
  });
});

describe('a network', () => {
  const inspect = (address: string) => runTool('forge.network.inspect.v1', { address });

  it.each<[string, JsonObject]>([
    ['8.8.8.8', { version: 4, global: true, prefix_length: 32, address_count: '1' }],
    ['2001:db8::/32', { version: 6, first_address: '2001:db8::', address_count: '79228162514264337593543950336' }],
    ['127.0.0.1', { range: 'loopback', global: false }],
    ['0.0.0.0/0', { last_address: '255.255.255.255', address_count: '4294967296' }],
  ])('%s: %j', async (address, expected) => {
    expect(await inspect(address)).toMatchObject(expected);
  });

  it.each(['256.1.1.1', '10.1', '1.2.3.4/33', '1.2.3.4/x', '::1/129', '1.2.3.4/'])('%s is refused', async (address) => {
    await expect(inspect(address)).rejects.toThrow(ToolInputError);
  });
});

describe('a barcode', () => {
  const draw = (kind: string, text: string) => runTool('forge.barcode.draw.v1', { kind, text });

  it.each([
    ['code128', 'PARCEL-42'],
    ['datamatrix', 'lot 7'],
    ['pdf417', 'ticket'],
    ['aztec', '票'],
    ['qr', 'https://example.com/'],
    ['isbn', '978-3-16-148410-0'],
    ['upca', '036000291452'],
  ])('%s is drawn', async (kind, text) => {
    expect(await draw(kind, text)).toMatchObject({ svg: expect.stringMatching(/^<svg[^>]*>[^]*<\/svg>\s*$/) });
  });

  it('with a wrong check digit, or letters in a product code, is refused', async () => {
    await expect(draw('ean13', '4006381333932')).rejects.toThrow('check digit');
    await expect(draw('ean8', 'abc')).rejects.toThrow(ToolInputError);
    await expect(draw('datamatrix', '9a'.repeat(5_000))).rejects.toThrow(ToolInputError);
  });

  it('never carries markup of the text', async () => {
    const { svg } = (await draw('code128', '</svg><script>x</script>')) as { svg: string };
    expect(svg).not.toContain('script');
  });
});

it('explains that a text is no token', async () => {
  await expect(runTool('forge.jwt.decode.v1', { token: 'not.a.token' })).rejects.toThrow('header.payload.signature');
});
