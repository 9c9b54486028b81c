import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';

const loadBase = lazy(() => import('@scure/base'));

/** Characters. Base58 takes time by the square of the length and has a bound of its own. */
const MAX_LENGTH = 100_000;
const MAX_BASE58_LENGTH = 1_000;

const formats = ['base64', 'base64url', 'base32', 'base58', 'hex', 'url'] as const;

export const encodeText = defineTool({
  toolId: 'forge.text.encode.v1',
  name: { en: 'Encode or decode Base64, hex or URL text', zh: 'Base64、十六进制与 URL 编解码' },
  description: {
    en: 'Encodes a text as Base64, Base64url, Base32, Base58, hexadecimal or percent-encoding (URL), or decodes it; bytes that are no text come back as hexadecimal. Free.',
    zh: '将文本编码为 Base64、Base64url、Base32、Base58、十六进制或百分号（URL）编码，或将其解码；无法成为文本的字节以十六进制返回。免费。',
  },
  categories: ['developer-tools', 'data-formats'],
  capabilities: [{ id: 'text.encode', tags: ['base64', 'percent encoding', 'urlencode', 'decode', 'hex'] }],
  parameters: {
    text: {
      schema: { type: 'string', maxLength: MAX_LENGTH },
      en: 'Text to encode, or encoded text to decode.',
      zh: '要编码的文本，或要解码的编码文本。',
      required: true,
    },
    format: { schema: { type: 'string', enum: [...formats] }, en: 'Encoding.', zh: '编码格式。', required: true },
    direction: {
      schema: { type: 'string', enum: ['encode', 'decode'], default: 'encode' },
      en: 'What to do.',
      zh: '编码或解码。',
    },
  },
  sampleParameters: { text: '价格 50 €', format: 'base64' },
  price: free,
  run: async (parameters) => {
    const base = await loadBase();
    const format = formats.find((known) => known === text(parameters, 'format')) ?? 'base64';
    const input = text(parameters, 'text');
    const decode = text(parameters, 'direction', 'encode') === 'decode';
    try {
      if (format === 'url') return { text: decode ? decodeURIComponent(input) : encodeURIComponent(input) };
      if (format === 'base58' && input.length > MAX_BASE58_LENGTH) {
        throw new Error(`Base58 is for short texts: at most ${MAX_BASE58_LENGTH} characters`);
      }
      if (!decode) return { text: base[format].encode(Buffer.from(input, 'utf8')) };
      return readable(base[format].decode(format === 'hex' ? input.toLowerCase() : input));
    } catch (error) {
      throw inputError(`The text cannot be ${decode ? 'decoded from' : 'encoded as'} ${format}`, error);
    }
  },
});

function readable(bytes: Uint8Array): { text: string } | { text: null; hex: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { text: null, hex: Buffer.from(bytes).toString('hex') };
  }
}
