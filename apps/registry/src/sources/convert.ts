import { Worker } from 'node:worker_threads';
import { AppError } from '@capability-router/kernel';
import type { ConversionAnswer, ConversionDone, ConversionTask, MoreDocuments } from './conversion-messages.js';

/** Always the built file: a worker thread runs plain JavaScript. */
const workerFile = new URL('../../dist/sources/conversion-worker.js', import.meta.url);
/** Megabytes of JavaScript heap. A document of 16 MB of JSON takes about 300. */
const THREAD_HEAP_MB = 768;
/** Megabytes. */
const THREAD_STACK_MB = 8;
/** Milliseconds of reading and converting, without fetching: seconds, and many on a machine that is overloaded. The gateway waits 60 s. */
const TIMEOUT_MS = 45_000;
/** Times that documents may lead to further ones. */
const MAX_ROUNDS = 8;

/** The texts of documents by their addresses. */
export type FetchDocuments = (addresses: readonly string[]) => Promise<Readonly<Record<string, string>>>;

/**
 * Converts in a thread of its own, which a document cannot make outlive its time or its memory: requests of others do not
 * wait for it. Throws `AppError` that says what is wrong with the document; `loc` is its field in the request.
 */
export async function convert(
  task: ConversionTask,
  loc: readonly string[],
  fetchDocuments: FetchDocuments,
): Promise<ConversionDone> {
  const thread = new Worker(workerFile, {
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB, stackSizeMb: THREAD_STACK_MB },
  });
  // Of a thread that nobody waits for any more.
  thread.on('error', () => undefined);
  try {
    let message: ConversionTask | MoreDocuments = task;
    for (let round = 0; round <= MAX_ROUNDS; round += 1) {
      const answer = await ask(thread, message, loc);
      if (answer.kind === 'done') return answer;
      if (answer.kind === 'refused') throw unusable(loc, answer.message);
      message = { kind: 'documents', texts: await fetchDocuments(answer.addresses) };
    }
    throw unusable(loc, `Its references lead on from document to document, more than ${MAX_ROUNDS} times`);
  } finally {
    await thread.terminate();
  }
}

function ask(
  thread: Worker,
  message: ConversionTask | MoreDocuments,
  loc: readonly string[],
): Promise<ConversionAnswer> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      thread.off('message', onAnswer);
      thread.off('error', onError);
    };
    const onAnswer = (answer: ConversionAnswer): void => {
      end();
      resolve(answer);
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      end();
      const tooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError;
      reject(tooLarge ? unusable(loc, 'It takes too much memory to read; import a part of it') : error);
    };
    const timer = setTimeout(() => {
      end();
      reject(unusable(loc, `It could not be read within ${TIMEOUT_MS} ms; import a part of it`));
    }, TIMEOUT_MS);
    thread.once('message', onAnswer);
    thread.once('error', onError);
    try {
      thread.postMessage(message);
    } catch {
      // A value that is nested deeper than the stack cannot even be handed over.
      end();
      reject(unusable(loc, 'It is nested too deeply'));
    }
  });
}

export function unusable(loc: readonly string[], message: string): AppError {
  return new AppError('validation_error', `${loc.at(-1)}: ${message}.`, {
    details: [{ type: 'value_error', loc: ['body', ...loc], msg: message }],
  });
}
