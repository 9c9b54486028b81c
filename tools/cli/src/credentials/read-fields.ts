import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

/** Bytes; the fields of a credential have 8 KiB each. */
const MAX_INPUT_BYTES = 65_536;

/**
 * The fields of a credential, from a file or standard input: a JSON object, or with `field` the value of one. Throws
 * `CommandError`, which repeats nothing of what was read.
 */
export async function readFields(
  { field, file }: { readonly field?: string; readonly file?: string },
  { stdin, error }: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  if (file === undefined && stdin.isTTY === true) {
    error(`Reading ${field === undefined ? 'a JSON object of the fields' : `"${field}"`}; end with Ctrl-D.`);
  }
  let bytes: Buffer;
  try {
    // One byte more than is allowed tells that there is more.
    const input = file === undefined ? stdin : createReadStream(file, { end: MAX_INPUT_BYTES });
    bytes = await buffer(limited(input));
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    throw new CommandError(exitCodes.usage, `the file cannot be read (${String(code)})`);
  }
  if (bytes.length > MAX_INPUT_BYTES) {
    throw new CommandError(exitCodes.usage, `the input has more than ${MAX_INPUT_BYTES} bytes`);
  }
  const text = bytes.toString('utf8');
  if (text.trim() === '') throw new CommandError(exitCodes.usage, 'the input is empty');
  // Editors and `echo` end a file with a line break, which no value has.
  if (field !== undefined) return { [field]: text.replace(/\r?\n$/, '') };
  return parse(text);
}

async function* limited(input: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk as Buffer | string);
    yield part;
    bytes += part.length;
    if (bytes > MAX_INPUT_BYTES) return;
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message shows part of the text.
    throw new CommandError(exitCodes.usage, 'the input is no JSON', ['Give --field to set one field from plain text.']);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(exitCodes.usage, 'the input is no JSON object of fields');
  }
  return value as Record<string, unknown>;
}
