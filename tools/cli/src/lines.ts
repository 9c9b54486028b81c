/**
 * The lines of a text, without their ends and without empty ones. What the chunks throw is thrown; the iterator of Node's `readline` does not
 * pass it on.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    rest += first;
    for (const next of more) {
      if (rest.trim() !== '') yield rest;
      rest = next;
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield rest;
}
