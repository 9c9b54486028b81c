import { describe, expect, it } from '@jest/globals';
import { MAX_EMBEDDED_TERMS, wordVectorsOf } from '../vectors/word-vectors.js';
import { Dictionary } from './dictionary.js';
import { DocumentDirections } from './document-directions.js';
import { Growing } from './growing.js';

const terms = ['card', 'credit', 'credit card', 'pay'];
const vectors = wordVectorsOf({
  dimensions: 2,
  terms,
  scales: new Float32Array(terms.length).fill(1),
  shares: new Float32Array(terms.length),
  components: Int8Array.of(1, 0, 1, 0, 0, 2, 0, -1),
});
const dictionary = new Dictionary();
const directions = new DocumentDirections(dictionary, vectors);

/** The direction of a document with these fields. */
function directionOf(...fields: readonly string[]): number[] {
  directions.clear();
  for (const field of fields) {
    const numbers = Uint32Array.from(field.split(' '), (term) => dictionary.add(term));
    directions.add(numbers, numbers.length);
  }
  const written = new Growing((length) => new Int8Array(length));
  directions.writeTo(written);
  return [...written.trimmed()];
}

const inSteps = (direction: Float32Array | undefined): number[] =>
  [...(direction ?? [])].map((value) => Math.round(127 * value));

describe('the direction of a document', () => {
  it.each(['credit card', 'card credit', 'pay credit card credit card', 'credit xylophon card'])(
    'of one field is that of its text: %s',
    (text) => {
      expect(directionOf(text)).toEqual(inSteps(vectors.embedText(text.split(' '))));
    },
  );

  it('takes no word of a field for the neighbour of one of another', () => {
    expect(directionOf('credit', 'card')).toEqual([127, 0]);
    expect(directionOf('credit card')).not.toEqual([127, 0]);
  });

  it('has room for the pairs of as many terms as are read', () => {
    const many = Array.from({ length: MAX_EMBEDDED_TERMS }, (_, at) => `a${at}`);
    const pairs = many.slice(1).map((term, at) => `${many[at] ?? ''} ${term}`);
    const all = [...many, ...pairs];
    const dense = wordVectorsOf({
      dimensions: 2,
      terms: all,
      scales: new Float32Array(all.length).fill(1),
      shares: new Float32Array(all.length),
      components: Int8Array.from({ length: 2 * all.length }, (_, at) => (at < 2 * many.length ? (at + 1) % 2 : at % 2)),
    });
    const own = new Dictionary();
    const reader = new DocumentDirections(own, dense);
    const numbers = Uint32Array.from(many, (term) => own.add(term));
    reader.clear();
    reader.add(numbers, numbers.length);
    const written = new Growing((length) => new Int8Array(length));
    reader.writeTo(written);
    expect([...written.trimmed()]).toEqual(inSteps(dense.embedText(many)));
  });
});
