import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadRegistryConfig } from '../config.js';
import { usesWordVectors } from './embedding-config.js';

const directory = mkdtempSync(join(tmpdir(), 'embedding-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

const load = (env: NodeJS.ProcessEnv) =>
  loadRegistryConfig({ REGISTRY_DATABASE_URL: 'postgres://localhost/registry', ...env }).embedding;
const openai = {
  SEARCH_EMBEDDING_PROVIDER: 'openai',
  SEARCH_EMBEDDING_BASE_URL: 'http://10.0.0.7:11434/v1/',
  SEARCH_EMBEDDING_MODEL: 'tiny',
};
const secret = 'sk-do-not-repeat';

describe('configuration of embeddings', () => {
  it('is the shipped vectors and no server where nothing is said', () => {
    expect(load({})).toMatchObject({ embedder: { provider: 'static' }, budgetMs: 60 });
    expect(load({})).not.toHaveProperty('reranker');
  });

  it('leaves the word vectors out of the index only where no meaning is wanted', () => {
    const found = [{ SEARCH_EMBEDDING_PROVIDER: 'none' }, {}, openai].map((env) => usesWordVectors(load(env)));
    expect(found).toEqual([false, true, true]);
  });

  it('is a folder with a model, its runtime and its settings, in one setting', () => {
    const folder = mkdtempSync(join(directory, 'model-'));
    const REGISTRY_EMBEDDING = `onnx:${folder}`;
    expect(load({ REGISTRY_EMBEDDING })).toMatchObject({
      embedder: { provider: 'onnx', directory: folder, pooling: 'mean', maxTokens: 256 },
      share: 0.4,
      minCosine: 0.5,
    });
    expect(load({ REGISTRY_EMBEDDING })).not.toHaveProperty('scripts');
    mkdirSync(join(folder, 'node_modules'));
    const settings = {
      scripts: ['Latin'],
      pooling: 'cls',
      max_tokens: 64,
      share_percent: 55,
      glossed_share_percent: 35,
      min_cosine_percent: 30,
    };
    writeFileSync(join(folder, 'search.json'), JSON.stringify(settings));
    const inOne = load({ REGISTRY_EMBEDDING });
    expect(inOne).toMatchObject({
      embedder: { runtimeDirectory: folder, pooling: 'cls', maxTokens: 64 },
      scripts: ['Latin'],
      share: 0.55,
      glossedShare: 0.35,
      minCosine: 0.3,
    });
    expect(load({ SEARCH_EMBEDDING_PROVIDER: 'onnx', SEARCH_EMBEDDING_ONNX_DIR: folder })).toEqual(inOne);
    expect(load({ REGISTRY_EMBEDDING, SEARCH_EMBEDDING_SHARE_PERCENT: '20' })).toMatchObject({ share: 0.2 });
    expect(load({ REGISTRY_EMBEDDING: 'none' }).embedder).toEqual({ provider: 'none' });
    writeFileSync(join(folder, 'search.json'), '{"scripts": []}');
    expect(() => load({ REGISTRY_EMBEDDING })).toThrow(/REGISTRY_EMBEDDING: .*search\.json cannot be used: /);
  });

  it('takes a server on a private address, and a key from a file', () => {
    const file = join(directory, 'key');
    writeFileSync(file, `${secret}\n`);
    expect(load({ ...openai, SEARCH_EMBEDDING_API_KEY_FILE: file }).embedder).toMatchObject({
      baseUrl: 'http://10.0.0.7:11434/v1',
      apiKey: secret,
    });
  });

  it('keeps the blank at the end of a prefix', () => {
    expect(load({ SEARCH_EMBEDDING_QUERY_PREFIX: 'query: ' }).prefixes.query).toBe('query: ');
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['SEARCH_EMBEDDING_BASE_URL', { ...openai, SEARCH_EMBEDDING_BASE_URL: '' }],
    ['SEARCH_EMBEDDING_BASE_URL', { ...openai, SEARCH_EMBEDDING_BASE_URL: `http://u:${secret}@host/v1` }],
    ['SEARCH_EMBEDDING_BASE_URL', { ...openai, SEARCH_EMBEDDING_BASE_URL: `https://host/v1?key=${secret}` }],
    ['SEARCH_EMBEDDING_BASE_URL', { ...openai, SEARCH_EMBEDDING_BASE_URL: 'file:///etc/passwd' }],
    ['SEARCH_EMBEDDING_MODEL', { ...openai, SEARCH_EMBEDDING_MODEL: '' }],
    ['SEARCH_EMBEDDING_API_KEY', { ...openai, SEARCH_EMBEDDING_API_KEY: `${secret}\r\nx: y` }],
    ['SEARCH_EMBEDDING_API_KEY_FILE', { ...openai, SEARCH_EMBEDDING_API_KEY_FILE: join(directory, 'nowhere') }],
    [
      'SEARCH_EMBEDDING_API_KEY_FILE',
      { ...openai, SEARCH_EMBEDDING_API_KEY: secret, SEARCH_EMBEDDING_API_KEY_FILE: directory },
    ],
    ['SEARCH_EMBEDDING_ONNX_DIR', { SEARCH_EMBEDDING_PROVIDER: 'onnx' }],
    ['SEARCH_EMBEDDING_PROVIDER', { SEARCH_EMBEDDING_PROVIDER: 'magic' }],
    ['SEARCH_EMBEDDING_PROVIDER', { SEARCH_EMBEDDING_PROVIDER: 'static', REGISTRY_EMBEDDING: 'static' }],
    ['SEARCH_EMBEDDING_ONNX_DIR', { SEARCH_EMBEDDING_ONNX_DIR: directory, REGISTRY_EMBEDDING: `onnx:${directory}` }],
    ['REGISTRY_EMBEDDING', { REGISTRY_EMBEDDING: 'onnx:' }],
    ['REGISTRY_EMBEDDING', { REGISTRY_EMBEDDING: 'openai' }],
    ['SEARCH_EMBEDDING_QUERY_PREFIX', { SEARCH_EMBEDDING_QUERY_PREFIX: 'x'.repeat(501) }],
    ['SEARCH_RERANK_MODEL', { SEARCH_RERANK_BASE_URL: 'http://host/v1' }],
  ])('names %s when it is wrong, and never repeats a secret', (name, env) => {
    let message = '';
    try {
      load(env);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(`${name}: `);
    expect(message).not.toContain(secret);
  });
});
