import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { createBirpc } from 'birpc';
import type { EmbedKind } from '../embedder.js';
import { loadRuntime } from './load-runtime.js';
import type { ModelCalls, OnnxSettings } from './model-calls.js';
import { poolTokens } from './pool-tokens.js';

/** Runs in a thread of its own: a model computes for tens of milliseconds, which no search may wait for. */

const { directory, runtimeDirectory, pooling, maxTokens } = workerData as OnnxSettings;
/** The part of `Tokenizer` that is used here: its declarations do not resolve under Node's rules for modules. */
interface TextTokenizer {
  encode(text: string): { readonly ids: readonly number[] };
}
const TextTokenizer = Tokenizer as unknown as new (tokenizer: object, config: object) => TextTokenizer;

/** Inputs that models of texts have; every other one is more than we can give. */
const knownInputs = ['input_ids', 'attention_mask', 'token_type_ids'];

function readTokenizer(): (text: string) => readonly number[] {
  const read = (name: string): object => JSON.parse(readFileSync(join(directory, name), 'utf8')) as object;
  let config: object = {};
  try {
    config = read('tokenizer_config.json');
  } catch {
    // Most tokenizers say everything in the one file.
  }
  const tokenizer = new TextTokenizer(read('tokenizer.json'), config);
  return (text) => {
    const { ids } = tokenizer.encode(text);
    if (ids.length <= maxTokens) return ids;
    // The last token ends the text and must stay.
    return [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
  };
}

async function prepare(): Promise<(text: string) => Promise<Float32Array>> {
  const { InferenceSession, Tensor } = loadRuntime(runtimeDirectory);
  const tokensOf = readTokenizer();
  // One processor: the service needs the others, and a query is too short to gain from them.
  const session = await InferenceSession.create(readFileSync(join(directory, 'model.onnx')), { intraOpNumThreads: 1 });
  const unknown = session.inputNames.filter((name) => !knownInputs.includes(name));
  if (unknown.length > 0) throw new Error(`model.onnx wants the inputs ${unknown.join(', ')}, which are not known`);
  const output = ['sentence_embedding', 'last_hidden_state'].find((name) => session.outputNames.includes(name));
  return async (text) => {
    const tokens = tokensOf(text);
    const ids = tokens.length > 0 ? tokens : [0];
    const present = ids.map(() => (tokens.length > 0 ? 1 : 0));
    const inputs: Record<string, readonly number[]> = {
      input_ids: ids,
      attention_mask: present,
      token_type_ids: ids.map(() => 0),
    };
    const feeds = Object.fromEntries(
      session.inputNames.map((name) => [
        name,
        new Tensor('int64', BigInt64Array.from(inputs[name] ?? [], BigInt), [1, ids.length]),
      ]),
    );
    const answer = (await session.run(feeds))[output ?? session.outputNames[0] ?? ''];
    if (!(answer?.data instanceof Float32Array)) throw new Error('model.onnx does not answer 32-bit numbers');
    return poolTokens({ data: answer.data, dims: answer.dims }, present, pooling);
  };
}

/** Texts of a call whose vectors are not all there yet. */
interface Job {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: unknown): void;
}

const waiting: Readonly<Record<EmbedKind, Job[]>> = { query: [], document: [] };
let embedText: ((text: string) => Promise<Float32Array>) | undefined;
let busy = false;

/** One text after the other, those of queries first: a query waits for one tool at most, however many are computed. */
async function work(): Promise<void> {
  if (busy) return;
  busy = true;
  for (;;) {
    const line = waiting.query.length > 0 ? waiting.query : waiting.document;
    const [job] = line;
    if (job === undefined) break;
    try {
      if (embedText === undefined) throw new Error('the model is not loaded');
      const text = job.texts[job.vectors.length];
      if (text !== undefined) job.vectors.push(await embedText(text));
      if (job.vectors.length === job.texts.length) {
        line.shift();
        job.resolve(job.vectors);
      }
    } catch (error) {
      line.shift();
      job.reject(error);
    }
    // The queries that came meanwhile are heard only in a turn of their own.
    await nextTurn();
  }
  busy = false;
}

const calls: ModelCalls = {
  load: async () => {
    embedText = await prepare();
  },
  embed: (texts, kind) =>
    new Promise((resolve, reject) => {
      waiting[kind].push({ texts, vectors: [], resolve, reject });
      void work();
    }),
};

createBirpc<object, ModelCalls>(calls, {
  post: (message) => parentPort?.postMessage(message),
  on: (hear) => void parentPort?.on('message', hear),
  timeout: -1,
});
