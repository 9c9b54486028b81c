/**
 * Words and sentences of an English text by Unicode's rules. `Intl.Segmenter` copies its whole input for each segment, so
 * that a long text takes memory and time by its square: it is given pieces.
 */

/** Characters of a piece: it ends where a sentence does, or between two words, or anywhere from twice that on. */
const PIECE_LENGTH = 500;

interface Piece {
  readonly text: string;
  /** It ends within a sentence, which the next one goes on with. */
  readonly cut: boolean;
}

const hasLetter = /\p{L}/u;
const sentenceEnd = /[.!?…。！？]["'”’)\]]*\s+|\n\s*\n/g;
const words = new Intl.Segmenter('en', { granularity: 'word' });
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The words that have a letter. */
export function wordsOf(content: string): string[] {
  const found: string[] = [];
  for (const { text } of piecesOf(content)) {
    for (const { segment } of words.segment(text)) if (hasLetter.test(segment)) found.push(segment);
  }
  return found;
}

/** Counts the sentences that have a letter. */
export function countSentences(content: string): number {
  let count = 0;
  let goesOn = false;
  for (const { text, cut } of piecesOf(content)) {
    let last = false;
    for (const { segment, index } of sentences.segment(text)) {
      last = hasLetter.test(segment);
      // The beginning of a sentence that was cut has been counted with the piece before.
      if (last && !(goesOn && index === 0)) count += 1;
    }
    goesOn = cut && last;
  }
  return count;
}

function* piecesOf(content: string): Generator<Piece> {
  let from = 0;
  while (from < content.length) {
    const to = endOfPiece(content, from);
    yield { text: content.slice(from, to.index), cut: to.cut };
    from = to.index;
  }
}

function endOfPiece(content: string, from: number): { readonly index: number; readonly cut: boolean } {
  const aim = from + PIECE_LENGTH;
  if (aim >= content.length) return { index: content.length, cut: false };
  const window = content.slice(aim, aim + PIECE_LENGTH);
  sentenceEnd.lastIndex = 0;
  const end = sentenceEnd.exec(window);
  if (end !== null) return { index: aim + end.index + end[0].length, cut: false };
  const blank = /\s+/.exec(window);
  if (blank !== null) return { index: aim + blank.index + blank[0].length, cut: true };
  return { index: aim + window.length, cut: aim + window.length < content.length };
}
