import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import type { Secrets } from '../credentials/secrets.js';
import { dataFault, dataFaultMessages } from '../data-fault.js';
import { oneLine } from '../faults/provider-words.js';
import { failure, type ProviderAnswer } from '../provider-adapter.js';

/** Characters of what a server says about its error. */
const MAX_SAID_LENGTH = 300;

/**
 * The result of `tools/call`: the structured content where there is one; else the content, a lone text as JSON where it is
 * an object or a list of JSON, and as text where not. An error result is the provider's error.
 */
export function readToolResult(result: CallToolResult, secrets: Secrets, maxBytes: number): ProviderAnswer {
  if (result.isError === true) {
    const said = secrets.redact(oneLine(result.content.map(textOf).join(' '))).slice(0, MAX_SAID_LENGTH);
    const words = said === '' ? '' : ` It says: "${said}"`;
    return failure('provider_error', `The provider reported an error.${words}`, { retryable: false });
  }
  const data = (result.structuredContent as JsonObject | undefined) ?? contentOf(result.content);
  // How deep it may be is for the reader of the result to say.
  const fault = dataFault(data, Number.POSITIVE_INFINITY);
  if (fault !== undefined) return failure('provider_error', dataFaultMessages[fault], { retryable: false });
  const json = secrets.redact(JSON.stringify(data));
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes > maxBytes) {
    return failure('provider_error', 'The answer of the provider is too large. Ask for less.', { retryable: false });
  }
  return { kind: 'answered', data: JSON.parse(json) as JsonValue, json, sizeBytes };
}

const textOf = (block: ContentBlock): string => (block.type === 'text' ? block.text : '');

function contentOf(content: readonly ContentBlock[]): JsonValue {
  const [only] = content;
  if (only === undefined) return null;
  if (content.length > 1) return content.map(blockOf);
  return only.type === 'text' ? jsonOrText(only.text) : blockOf(only);
}

function jsonOrText(text: string): JsonValue {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      // It only looked like JSON.
    }
  }
  return text === '' ? null : text;
}

const forDisplay = new Set(['_meta', 'annotations', 'icons']);

/** A block without what is for clients that show it to people. */
function blockOf(block: ContentBlock): JsonValue {
  if (block.type === 'text') return block.text;
  const shown = Object.entries(block).filter(([name]) => !forDisplay.has(name));
  return JSON.parse(JSON.stringify(Object.fromEntries(shown))) as JsonValue;
}
