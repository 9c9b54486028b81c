import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { optionalText, text } from '../../tool/parameters.js';
import { perKilobyte } from '../../tool/prices.js';

const loadHashes = lazy(async () => {
  const sha2 = await import('@noble/hashes/sha2');
  const sha3 = await import('@noble/hashes/sha3');
  const { blake2b } = await import('@noble/hashes/blake2');
  const { blake3 } = await import('@noble/hashes/blake3');
  const { ripemd160 } = await import('@noble/hashes/legacy');
  const { hmac } = await import('@noble/hashes/hmac');
  const algorithms = {
    'sha-256': sha2.sha256,
    'sha-384': sha2.sha384,
    'sha-512': sha2.sha512,
    'sha3-256': sha3.sha3_256,
    'sha3-512': sha3.sha3_512,
    'keccak-256': sha3.keccak_256,
    blake2b,
    blake3,
    'ripemd-160': ripemd160,
  } as const;
  return { algorithms, hmac };
});

const names = [
  'sha-256',
  'sha-384',
  'sha-512',
  'sha3-256',
  'sha3-512',
  'keccak-256',
  'blake2b',
  'blake3',
  'ripemd-160',
] as const;

/** Characters. */
const MAX_TEXT_LENGTH = 100_000;

export const digest = defineTool({
  toolId: 'forge.hash.digest.v1',
  name: { en: 'Cryptographic hash or HMAC of a text', zh: '文本哈希与 HMAC' },
  description: {
    en: 'Computes the fingerprint of a text with SHA-2, SHA-3, Keccak, BLAKE2b, BLAKE3 or RIPEMD-160, or its HMAC with a key, in hexadecimal and Base64. For checksums, signatures and Ethereum hashes.',
    zh: '用 SHA-2、SHA-3、Keccak、BLAKE2b、BLAKE3 或 RIPEMD-160 计算文本指纹，或用密钥计算 HMAC，输出十六进制与 Base64。适用于校验和、签名与以太坊哈希。',
  },
  categories: ['developer-tools'],
  capabilities: [{ id: 'crypto.hash', tags: ['checksum', 'sha256', 'sha3', 'blake3', 'hmac', 'fingerprint'] }],
  parameters: {
    text: {
      schema: { type: 'string', maxLength: MAX_TEXT_LENGTH },
      en: 'Text, hashed as UTF-8.',
      zh: '文本，按 UTF-8 计算。',
      required: true,
    },
    algorithm: {
      schema: { type: 'string', enum: [...names], default: 'sha-256' },
      en: 'Hash function.',
      zh: '哈希算法。',
    },
    hmac_key: {
      schema: { type: 'string', minLength: 1, maxLength: 1_000 },
      en: 'Key for an HMAC instead of a plain hash. Do not send a key that protects something.',
      zh: '提供密钥则计算 HMAC。请勿发送正在使用的机密密钥。',
    },
  },
  sampleParameters: { text: 'abc', algorithm: 'sha3-256' },
  price: perKilobyte('0.01', '0.05', 'text', MAX_TEXT_LENGTH),
  run: async (parameters) => {
    const { algorithms, hmac } = await loadHashes();
    const algorithm = names.find((name) => name === text(parameters, 'algorithm', 'sha-256')) ?? 'sha-256';
    const hash = algorithms[algorithm];
    const bytes = Buffer.from(text(parameters, 'text'), 'utf8');
    const key = optionalText(parameters, 'hmac_key');
    const sum = Buffer.from(key === undefined ? hash(bytes) : hmac(hash, Buffer.from(key, 'utf8'), bytes));
    return { algorithm, hex: sum.toString('hex'), base64: sum.toString('base64'), hmac: key !== undefined };
  },
});
