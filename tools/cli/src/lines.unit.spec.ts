import { describe, expect, it } from '@jest/globals';
import { linesOf } from './lines.js';

async function* chunksOf(...texts: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text as string);
}
const read = async (...texts: readonly (string | Buffer)[]): Promise<string[]> => {
  const lines: string[] = [];
  for await (const line of linesOf(chunksOf(...texts))) lines.push(line);
  return lines;
};

describe('the lines of a text that comes in chunks', () => {
  it('are whole wherever chunks end, within a letter too, and empty ones are none', async () => {
    const letter = Buffer.from('天');
    expect(await read('on', 'e\n\n', letter.subarray(0, 1), letter.subarray(1), '\nlast')).toEqual([
      'one',
      '天',
      'last',
    ]);
    expect(await read()).toEqual([]);
  });

  it('end with what the chunks throw, and with a line that does not end', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one\n');
      throw new Error('gone');
    };
    const lines = linesOf(broken());
    expect((await lines.next()).value).toBe('one');
    await expect(lines.next()).rejects.toThrow('gone');
    await expect(read(...Array.from({ length: 5 }, () => 'x'.repeat(1_048_576)))).rejects.toThrow('does not end');
  });
});
