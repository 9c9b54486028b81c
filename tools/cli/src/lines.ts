import { CommandError, exitCodes } from './terminal.js';

/** Characters; a line of a report has a few thousand. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/**
 * The lines of a text, without their ends and without empty ones. What the chunks throw is thrown; the iterator of Node's `readline` does not
 * pass it on.
 * @throws CommandError for a line of more than four million characters
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    rest += first;
    if (rest.length > MAX_LINE_LENGTH) {
      throw new CommandError(exitCodes.unreachable, 'a line of the answer does not end');
    }
    for (const next of more) {
      if (rest.trim() !== '') yield rest;
      rest = next;
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield rest;
}
