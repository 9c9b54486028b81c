import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OnnxEmbedder } from './onnx-embedder.js';

describe('a directory with an incomplete ONNX model', () => {
  let directory: string;
  const open = (): Promise<OnnxEmbedder> =>
    OnnxEmbedder.open({ directory, pooling: 'mean', maxTokens: 8, prefixes: { query: '', document: '' } });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'onnx-model-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('is refused with the name of the file that is missing', async () => {
    await expect(open()).rejects.toThrow(/model\.onnx cannot be read/);
    await writeFile(join(directory, 'model.onnx'), '');
    await expect(open()).rejects.toThrow(/tokenizer\.json cannot be read/);
  });
});
