/** Just enough of ONNX's protobuf to write a model that looks vectors of tokens up. */

type Field = readonly [number, number | bigint | string | Uint8Array];

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const more = rest > 127n ? 128 : 0;
    bytes.push(Number(rest & 127n) | more);
    rest >>= 7n;
  } while (rest > 0n);
  return bytes;
}

function message(...fields: Field[]): Uint8Array {
  const bytes = fields.flatMap(([number, value]) => {
    if (typeof value === 'number' || typeof value === 'bigint') {
      return [...varint(BigInt(number * 8)), ...varint(BigInt(value))];
    }
    const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    return [...varint(BigInt(number * 8 + 2)), ...varint(BigInt(content.length)), ...content];
  });
  return Uint8Array.from(bytes);
}

const FLOAT = 1;
const INT64 = 7;

const tensorInfo = (name: string, type: number, dims: readonly (string | number)[]): Uint8Array => {
  const shape = message(...dims.map((dim): Field => [1, message(typeof dim === 'string' ? [2, dim] : [1, dim])]));
  return message([1, name], [2, message([1, message([1, type], [2, shape])])]);
};

/** `inputs`: the names that the graph declares; it reads the first, `[texts, tokens]`, and answers `[texts, tokens, width]`. */
export function lookUpModel(
  table: readonly (readonly number[])[],
  inputs: readonly string[] = ['input_ids', 'attention_mask', 'token_type_ids'],
): Uint8Array {
  const width = table[0]?.length ?? 0;
  const weights = new Uint8Array(Float32Array.from(table.flat()).buffer);
  const initializer = message([1, table.length], [1, width], [2, FLOAT], [8, 'table'], [9, weights]);
  const node = message([1, 'table'], [1, inputs[0] ?? ''], [2, 'last_hidden_state'], [4, 'Gather']);
  const graph = message(
    [1, node],
    [2, 'look-up'],
    [5, initializer],
    ...inputs.map((name): Field => [11, tensorInfo(name, INT64, ['texts', 'tokens'])]),
    [12, tensorInfo('last_hidden_state', FLOAT, ['texts', 'tokens', width])],
  );
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])]);
}

/** A tokenizer of whole words; others are `[UNK]`, token 0. */
export const wordTokenizer = (words: readonly string[]): object => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'Whitespace' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(['[UNK]', ...words].map((word, id) => [word, id])),
  },
});
