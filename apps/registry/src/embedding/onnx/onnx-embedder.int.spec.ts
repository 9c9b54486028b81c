import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { lookUpModel, wordTokenizer } from '../test-support/onnx-graph.js';
import { onnxRuntimeFolder } from '../test-support/onnx-runtime.js';
import { OnnxEmbedder, type OnnxEmbedderOptions } from './onnx-embedder.js';

const words = ['moon', 'tide', 'of'];
/** By token: unknown, moon, tide, of. */
const table = [
  [0, 0, 9],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

describe('the ONNX embedder', () => {
  let directory: string;
  const open: OnnxEmbedder[] = [];
  const embedder = async (over: Partial<OnnxEmbedderOptions> = {}): Promise<OnnxEmbedder> => {
    const prefixes = { query: '', document: 'of ' };
    const made = await OnnxEmbedder.open({
      directory,
      runtimeDirectory: onnxRuntimeFolder(),
      pooling: 'mean',
      maxTokens: 8,
      prefixes,
      ...over,
    });
    open.push(made);
    return made;
  };
  const write = (name: string, content: string | Uint8Array): Promise<void> =>
    writeFile(join(directory, name), content);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'onnx-model-'));
    await write('model.onnx', lookUpModel(table));
    await write('tokenizer.json', JSON.stringify(wordTokenizer(words)));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('averages the tokens of each text', async () => {
    const model = await embedder();
    expect(await model.embed(['Moon tide', 'moon'], 'query')).toEqual([
      Float32Array.of(0.5, 0.5, 0),
      Float32Array.of(1, 0, 0),
    ]);
    expect(await model.embed(['moon'], 'document')).toEqual([Float32Array.of(0.5, 0, 0.5)]);
  });

  it('takes the first token where that stands for the text', async () => {
    const model = await embedder({ pooling: 'cls' });
    expect(await model.embed(['tide moon'], 'query')).toEqual([Float32Array.of(0, 1, 0)]);
  });

  it('cuts a long text and keeps its end', async () => {
    const model = await embedder({ maxTokens: 2 });
    expect(await model.embed(['moon of of of tide'], 'query')).toEqual([Float32Array.of(0.5, 0.5, 0)]);
  });

  it('answers many at once, each its own', async () => {
    const model = await embedder();
    const answers = await Promise.all(['moon', 'tide', 'moon', 'of'].map((text) => model.embed([text], 'query')));
    expect(answers.map(([vector]) => vector?.indexOf(1))).toEqual([0, 1, 0, 2]);
  });

  it('answers a query before the documents that came earlier', async () => {
    const model = await embedder();
    const answered: string[] = [];
    const many = Array.from({ length: 2_000 }, () => 'moon');
    const documents = model.embed(many, 'document').then(() => answered.push('documents'));
    const query = model.embed(['tide'], 'query').then(() => answered.push('query'));
    await Promise.all([documents, query]);
    expect(answered).toEqual(['query', 'documents']);
  });

  it('fails those who wait when its thread ends', async () => {
    const model = await embedder();
    // More than it could answer while this thread waits for its turn.
    const many = Array.from({ length: 5_000 }, () => 'moon');
    const waiting = model.embed(many, 'query').catch((error: unknown) => error);
    await model.close();
    expect(await waiting).toMatchObject({ name: 'ModelError', fault: 'unavailable' });
    await expect(model.embed(['moon'], 'query')).rejects.toMatchObject({ fault: 'unavailable' });
  });

  it('is another model when a file is another, and when documents are read another way', async () => {
    const keys = [(await embedder()).modelKey, (await embedder({ pooling: 'cls' })).modelKey];
    await write('model.onnx', lookUpModel([...table].reverse()));
    keys.push((await embedder()).modelKey);
    await write('model.onnx', lookUpModel(table));
    expect(new Set(keys).size).toBe(3);
    expect((await embedder()).modelKey).toBe(keys[0]);
  });

  it('says what is wrong with a model', async () => {
    await write('model.onnx', 'no model');
    await expect(embedder()).rejects.toThrow(/the ONNX model cannot be used/);
    await write('model.onnx', lookUpModel(table, ['pixel_values']));
    await expect(embedder()).rejects.toThrow(/wants the inputs pixel_values/);
    await write('model.onnx', lookUpModel(table));
  });
});
