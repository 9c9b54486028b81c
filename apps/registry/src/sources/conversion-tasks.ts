import { isJsonObject, packed, unpacked, type JsonValue } from '@capability-router/kernel';
import type { Tasks } from '@capability-router/provider-kit';
import { checkConversion } from './check-conversion.js';
import type { ConversionAnswer, ConversionSettings, ConversionTask } from './conversion-messages.js';
import { asText, cleanLine, cleanText } from './domain/clean-text.js';
import { Documents, externalAddresses } from './domain/documents.js';
import { toTools as toMcpTools } from './mcp/domain/to-tools.js';
import { TooManyOperations, toTools as toOpenApiTools } from './openapi/domain/to-tools.js';
import { faultsOf, measure, openApiDocument, parseDocument, UnreadableDocument } from './openapi/read-document.js';

const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 2_000;
/** Bytes of an answer: the service reads it in one go. */
const MAX_ANSWER_LENGTH = 67_108_864;

/** Runs in runner processes, one task at a time. */
export function openTasks(settings: object): Promise<Tasks> {
  const { timeoutMs } = settings as ConversionSettings;
  return Promise.resolve({
    prepare: () => Promise.resolve(timeoutMs),
    run: async (_kind, task) => {
      const answer = packed(await answerOf(unpacked<ConversionTask>(task)));
      return answer.length <= MAX_ANSWER_LENGTH ? answer : packed(tooMuch);
    },
  });
}

const tooMuch: ConversionAnswer = {
  kind: 'refused',
  message: 'It takes too much memory to read; import a part of it',
};

async function answerOf(task: ConversionTask): Promise<ConversionAnswer> {
  try {
    return await convert(task);
  } catch (error) {
    // The stack of calls is too deep, or a text too long.
    if (error instanceof RangeError) return tooMuch;
    if (!(error instanceof UnreadableDocument) && !(error instanceof TooManyOperations)) throw error;
    return { kind: 'refused', message: error.message };
  }
}

async function convert(task: ConversionTask): Promise<ConversionAnswer> {
  if (task.kind === 'mcp') {
    measure(task.listed.map(({ inputSchema }) => inputSchema));
    return { kind: 'done', ...checkConversion(toMcpTools(task.listed, task.choices)) };
  }
  const { texts, base, allowExternalRefs, choices } = task;
  const root = openApiDocument(parseDocument(texts[base] ?? ''));
  const documents = new Map<string, JsonValue>([[base, root]]);
  for (const [address, text] of Object.entries(texts)) {
    if (address !== base) documents.set(address, parseDocument(text));
  }
  if (allowExternalRefs) {
    const known = new Set(documents.keys());
    const needed = new Set([...documents].flatMap(([address, value]) => [...externalAddresses(value, address, known)]));
    if (needed.size > 0) return { kind: 'needs', addresses: [...needed] };
  }
  const info = isJsonObject(root['info']) ? root['info'] : {};
  const title = cleanLine(info['title'], MAX_TITLE_LENGTH);
  const version = cleanLine(info['version'], MAX_TITLE_LENGTH);
  const description = cleanText(info['description'] ?? info['summary'], MAX_DESCRIPTION_LENGTH);
  return {
    kind: 'done',
    ...checkConversion(toOpenApiTools(new Documents(base, documents), choices)),
    document: {
      openapi: asText(root['openapi']).slice(0, 10),
      ...(title === undefined ? {} : { title }),
      ...(version === undefined ? {} : { version }),
      ...(description === undefined ? {} : { description }),
      faults: await faultsOf(root),
    },
  };
}
