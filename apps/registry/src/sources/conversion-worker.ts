import { parentPort } from 'node:worker_threads';
import { isJsonObject } from '@capability-router/kernel';
import type { JsonValue } from '@capability-router/kernel';
import { checkConversion } from './check-conversion.js';
import type { ConversionAnswer, ConversionTask, MoreDocuments } from './conversion-messages.js';
import { asText, cleanLine, cleanText } from './domain/clean-text.js';
import { Documents, externalAddresses } from './domain/documents.js';
import { toTools as toMcpTools } from './mcp/domain/to-tools.js';
import { TooManyOperations, toTools as toOpenApiTools } from './openapi/domain/to-tools.js';
import { faultsOf, measure, openApiDocument, parseDocument, UnreadableDocument } from './openapi/read-document.js';

/** Runs in a worker thread, one task in its life; whoever started it ends it when it takes too long. */

const port = parentPort;
const documents = new Map<string, JsonValue>();
let task: ConversionTask | undefined;

const answer = (message: ConversionAnswer): void => port?.postMessage(message);

async function convert(message: ConversionTask | MoreDocuments): Promise<void> {
  if (message.kind === 'documents') {
    for (const [address, text] of Object.entries(message.texts)) documents.set(address, parseDocument(text));
  } else {
    task = message;
  }
  if (task === undefined) return;
  if (task.kind === 'mcp') {
    measure(task.listed.map(({ inputSchema }) => inputSchema));
    answer({ kind: 'done', ...checkConversion(toMcpTools(task.listed, task.choices)) });
    return;
  }
  const { document, base, allowExternalRefs, choices } = task;
  if (message.kind !== 'documents') {
    const root = 'text' in document ? parseDocument(document.text) : document.value;
    measure(root);
    documents.set(base, openApiDocument(root));
  }
  if (allowExternalRefs) {
    const known = new Set(documents.keys());
    const needed = new Set([...documents].flatMap(([address, value]) => [...externalAddresses(value, address, known)]));
    if (needed.size > 0) {
      answer({ kind: 'needs', addresses: [...needed] });
      return;
    }
  }
  const root = openApiDocument(documents.get(base) ?? null);
  const info = isJsonObject(root['info']) ? root['info'] : {};
  const title = cleanLine(info['title'], MAX_TITLE_LENGTH);
  const version = cleanLine(info['version'], MAX_TITLE_LENGTH);
  const description = cleanText(info['description'] ?? info['summary'], MAX_DESCRIPTION_LENGTH);
  answer({
    kind: 'done',
    ...checkConversion(toOpenApiTools(new Documents(base, documents), choices)),
    document: {
      openapi: asText(root['openapi']).slice(0, 10),
      ...(title === undefined ? {} : { title }),
      ...(version === undefined ? {} : { version }),
      ...(description === undefined ? {} : { description }),
      faults: await faultsOf(root),
    },
  });
}

const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 2_000;

port?.on('message', (message: ConversionTask | MoreDocuments) => {
  convert(message).catch((error: unknown) => {
    if (!(error instanceof UnreadableDocument) && !(error instanceof TooManyOperations)) throw error;
    answer({ kind: 'refused', message: error.message });
  });
});
