/** The thread of an index: a search of a hundred thousand tools takes milliseconds, in which the service goes on. */
import { parentPort, workerData } from 'node:worker_threads';
import { giveBackMemory } from '@capability-router/kernel';
import { createBirpc } from 'birpc';
import { ChineseGlosses } from '../glosses/chinese-glosses.js';
import type { BulkLoad } from '../index/segmented-index.js';
import { ToolIndex } from '../tool-index.js';
import { loadWordVectors } from '../vectors/index.js';
import type { IndexCalls, IndexReports, IndexThreadData } from './index-calls.js';

const { glosses, wordVectors } = workerData as IndexThreadData;
const index = new ToolIndex([], {
  ...(glosses === undefined ? {} : { glosses: ChineseGlosses.unpack(glosses) }),
  ...(wordVectors ? { wordVectors: loadWordVectors() } : {}),
  onError: (error) => void reports.failed.asEvent(error),
});
let bulk: BulkLoad | undefined;

const calls: IndexCalls = {
  search: (query, options) => index.search(query, options),
  upsert: (documents) => index.upsert(documents),
  remove: (toolIds) => index.remove(toolIds),
  addBulk: (documents) => {
    bulk ??= index.startBulk();
    bulk.add(documents);
  },
  finishBulk: () => {
    finish();
    // Building takes several times what the index holds. The service need not wait for the collection: it does its own meanwhile.
    setImmediate(giveBackMemory);
  },
  documentFrequenciesOf: (terms) => terms.map((term) => index.documentFrequencyOf(term)),
  settled: () => index.settled(),
};

/** By itself, so that nothing refers to what the building took when it has returned. */
function finish(): void {
  bulk?.finish();
  bulk = undefined;
}

const reports = createBirpc<IndexReports, IndexCalls>(calls, {
  post: (message) => parentPort?.postMessage(message),
  on: (hear) => void parentPort?.on('message', hear),
  timeout: -1,
});
