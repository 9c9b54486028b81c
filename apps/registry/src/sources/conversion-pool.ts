import { AppError, packed, unpacked } from '@capability-router/kernel';
import { RunnerPool, type TaskEndedBy } from '@capability-router/provider-kit';
import { LOGGER, type ServiceRuntime } from '@capability-router/service-kit';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ConversionAnswer, ConversionDone, ConversionSettings, ConversionTask } from './conversion-messages.js';

/** Megabytes of JavaScript heap. A document of 16 MB of JSON takes about 300. */
const HEAP_MB = 768;
const MAX_RESIDENT_BYTES = 1_024 * 1_048_576;
/** Milliseconds of reading and converting, without fetching: seconds, and many on a machine that is overloaded. The gateway waits 60 s. */
const TIMEOUT_MS = 45_000;
/** Milliseconds that starting a process may take more. */
const START_MS = 15_000;
/** Milliseconds after which an idle process ends. */
const IDLE_MS = 10_000;
/** Times that documents may lead to further ones. */
const MAX_ROUNDS = 8;

/** Sources that one replica reads at a time: each takes a process and its memory. */
export const MAX_CONCURRENT_READS = 2;

/** The texts of documents by their addresses. */
export type FetchDocuments = (addresses: readonly string[]) => Promise<Readonly<Record<string, string>>>;

const tasksUrl = new URL('../../dist/sources/conversion-tasks.js', import.meta.url).href;

/** Makes tools of what others wrote in processes of their own, which a document cannot make outlive its time or its memory. */
@Injectable()
export class ConversionPool implements OnApplicationShutdown {
  private readonly pool: RunnerPool;

  constructor(@Inject(LOGGER) logger: ServiceRuntime['logger']) {
    this.pool = new RunnerPool({
      tasksUrl,
      settings: { timeoutMs: TIMEOUT_MS } satisfies ConversionSettings,
      maxRunners: MAX_CONCURRENT_READS,
      maxQueue: MAX_CONCURRENT_READS,
      maxHeapMb: HEAP_MB,
      maxResidentBytes: MAX_RESIDENT_BYTES,
      minIdle: 0,
      idleMs: IDLE_MS,
      onFault: (_kind, err) => logger.error({ err }, 'a process that reads documents failed'),
    });
  }

  /** Throws `AppError` that says what is wrong with the document; `loc` is its field in the request. */
  async convert(task: ConversionTask, loc: readonly string[], fetchDocuments: FetchDocuments): Promise<ConversionDone> {
    let asked = task;
    for (let round = 0; round <= MAX_ROUNDS; round += 1) {
      const answer = await this.ask(asked, loc);
      if (answer.kind === 'done') return answer;
      if (answer.kind === 'refused') throw unusable(loc, answer.message);
      const further = await fetchDocuments(answer.addresses);
      if (asked.kind === 'openapi') asked = { ...asked, texts: { ...asked.texts, ...further } };
    }
    throw unusable(loc, `Its references lead on from document to document, more than ${MAX_ROUNDS} times`);
  }

  /** Ends the processes; what is converted is not done. */
  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  private async ask(task: ConversionTask, loc: readonly string[]): Promise<ConversionAnswer> {
    const outcome = await this.pool.run({
      holder: task.choices.providerId,
      kind: task.kind,
      task: packedOrRefused(task, loc),
      deadlineMs: TIMEOUT_MS + START_MS,
    });
    switch (outcome.kind) {
      case 'answered':
        return unpacked<ConversionAnswer>(outcome.answer);
      case 'ended':
        throw endOf(outcome.by, loc);
      case 'not_begun':
        throw unavailable();
      case 'threw':
        throw new Error(`a source could not be converted: ${outcome.detail}`);
    }
  }
}

function packedOrRefused(task: ConversionTask, loc: readonly string[]): string {
  try {
    return packed(task);
  } catch {
    // A value that is nested deeper than the stack cannot even be handed over.
    throw unusable(loc, 'It is nested too deeply');
  }
}

function endOf(by: TaskEndedBy, loc: readonly string[]): AppError {
  switch (by) {
    case 'memory':
      return unusable(loc, 'It takes too much memory to read; import a part of it');
    case 'time':
    case 'given_up':
      return unusable(loc, `It could not be read within ${TIMEOUT_MS} ms; import a part of it`);
    case 'itself':
      return unusable(loc, 'It cannot be read');
    case 'starved':
    case 'cut':
    case 'service':
      return unavailable();
  }
}

const unavailable = (): AppError =>
  new AppError('service_unavailable', 'The source could not be read; the fault is ours. Try again.');

export function unusable(loc: readonly string[], message: string): AppError {
  return new AppError('validation_error', `${loc.at(-1)}: ${message}.`, {
    details: [{ type: 'value_error', loc: ['body', ...loc], msg: message }],
  });
}
