import { createHash } from 'node:crypto';
import { defineTool } from '../../tool/define-tool.js';
import { text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';

export const hashText = defineTool({
  toolId: 'toolbox.hash.digest.v1',
  name: { en: 'MD5, SHA-1 or SHA-2 of a text', zh: '文本的 MD5、SHA-1 或 SHA-2' },
  description: {
    en: 'Computes the MD5, SHA-1, SHA-256, SHA-384 or SHA-512 checksum of a text with OpenSSL, as md5sum and sha256sum would. Free.',
    zh: '用 OpenSSL 计算文本的 MD5、SHA-1、SHA-256、SHA-384 或 SHA-512 校验和，结果与 md5sum、sha256sum 一致。免费。',
  },
  categories: ['developer-tools'],
  capabilities: [{ id: 'crypto.hash', tags: ['checksum', 'md5', 'sha1', 'sha256'] }],
  parameters: {
    input: {
      schema: { type: 'string', maxLength: 100_000 },
      en: 'Text, hashed as UTF-8.',
      zh: '文本，按 UTF-8 计算。',
      required: true,
    },
    function: {
      schema: { type: 'string', enum: ['md5', 'sha1', 'sha256', 'sha384', 'sha512'], default: 'sha256' },
      en: 'Hash function. MD5 and SHA-1 are broken: for comparing files only.',
      zh: '哈希函数。MD5 与 SHA-1 已不安全，仅用于比对文件。',
    },
  },
  sampleParameters: { input: 'abc', function: 'md5' },
  price: free,
  run: (parameters) => ({
    checksum: createHash(text(parameters, 'function', 'sha256'))
      .update(text(parameters, 'input'), 'utf8')
      .digest('hex'),
  }),
});
