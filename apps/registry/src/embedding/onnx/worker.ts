import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { loadRuntime } from './load-runtime.js';
import type { OnnxMessage, OnnxSettings, OnnxTask } from './messages.js';
import { poolTokens } from './pool-tokens.js';

/** Runs in a thread of its own: a model computes for tens of milliseconds, which no search may wait for. */

const { directory, runtimeDirectory, pooling, maxTokens } = workerData as OnnxSettings;
const say = (message: OnnxMessage): void => parentPort?.postMessage(message);
/** The part of `Tokenizer` that is used here: its declarations do not resolve under Node's rules for modules. */
interface TextTokenizer {
  encode(text: string): { readonly ids: readonly number[] };
}
const TextTokenizer = Tokenizer as unknown as new (tokenizer: object, config: object) => TextTokenizer;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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

async function prepare(): Promise<(texts: readonly string[]) => Promise<Float32Array[]>> {
  const { InferenceSession, Tensor } = loadRuntime(runtimeDirectory);
  const tokensOf = readTokenizer();
  const session = await InferenceSession.create(readFileSync(join(directory, 'model.onnx')));
  const unknown = session.inputNames.filter((name) => !knownInputs.includes(name));
  if (unknown.length > 0) throw new Error(`model.onnx wants the inputs ${unknown.join(', ')}, which are not known`);
  const output = ['sentence_embedding', 'last_hidden_state'].find((name) => session.outputNames.includes(name));
  return async (texts) => {
    const ids = texts.map(tokensOf);
    const width = Math.max(1, ...ids.map((tokens) => tokens.length));
    const rows = (valueOf: (token: number | undefined) => number): number[][] =>
      ids.map((tokens) => Array.from({ length: width }, (_, place) => valueOf(tokens[place])));
    const mask = rows((token) => (token === undefined ? 0 : 1));
    const inputs: Record<string, number[][]> = {
      input_ids: rows((token) => token ?? 0),
      attention_mask: mask,
      token_type_ids: rows(() => 0),
    };
    const feeds = Object.fromEntries(
      session.inputNames.map((name) => [
        name,
        new Tensor('int64', BigInt64Array.from((inputs[name] ?? []).flat(), BigInt), [texts.length, width]),
      ]),
    );
    const answer = (await session.run(feeds))[output ?? session.outputNames[0] ?? ''];
    if (!(answer?.data instanceof Float32Array)) throw new Error('model.onnx does not answer 32-bit numbers');
    return poolTokens({ data: answer.data, dims: answer.dims }, mask, pooling);
  };
}

try {
  const embed = await prepare();
  let last = Promise.resolve();
  parentPort?.on('message', ({ id, texts }: OnnxTask) => {
    last = last.then(async () => {
      try {
        say({ kind: 'vectors', id, vectors: await embed(texts) });
      } catch (error) {
        say({ kind: 'failed', id, message: messageOf(error) });
      }
    });
  });
  say({ kind: 'ready' });
} catch (error) {
  say({ kind: 'unusable', message: messageOf(error) });
}
