/** A word of a query that may become evidence. */
export interface FeedbackTerm {
  /** As the index has it, e.g. stemmed: what makes two words the same. */
  readonly term: string;
  /** As people wrote it, in lower case. */
  readonly word: string;
}

/** How the index reads a query, and which of its terms are common enough to be told to others. */
export interface FeedbackVocabulary {
  termsOf(text: string): readonly FeedbackTerm[];
  /** Those that are words of several tools, or of the language. Others may be names or secrets. */
  commonAmong(terms: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Terms of one query that are kept. */
export const MAX_TERMS_PER_USE = 32;
/** Characters. */
const MAX_WORD_LENGTH = 40;

const email = /[\p{Script=Latin}\p{N}._%+-]+@[\p{Script=Latin}\p{N}.-]+/gu;
const url = /\p{Script=Latin}+:\/\/[^\s\p{Script=Han}]+/gu;
/** `example.com`, `com.example.Thing`, `a_b.c`. */
const dotted = /[\p{Script=Latin}\p{N}_-]+(?:\.[\p{Script=Latin}\p{N}_-]+)+/gu;
/** Whatever is written together with a digit: `AB-123`, `order42`, `v2_x`. */
const numbered = /[\p{Script=Latin}_-]*\p{N}[\p{Script=Latin}\p{N}_-]*/gu;
/** `@someone`, `#ticket`. */
const tagged = /[@#][\p{L}\p{N}_-]+/gu;

/** Takes out what can name a person, an account or a thing of the caller's. */
const withoutIdentifiers = (query: string): string =>
  [email, url, tagged, dotted, numbered].reduce((text, pattern) => text.replace(pattern, ' '), query.normalize('NFKC'));

/** The words of a query that may be kept, each once: no digits, addresses or identifiers, and no rare words. */
export async function feedbackTerms(query: string, vocabulary: FeedbackVocabulary): Promise<FeedbackTerm[]> {
  const found = new Map<string, FeedbackTerm>();
  for (const { term, word } of vocabulary.termsOf(withoutIdentifiers(query))) {
    if (word.length <= MAX_WORD_LENGTH && !/\p{N}/u.test(word) && !found.has(term)) found.set(term, { term, word });
  }
  const common = await vocabulary.commonAmong([...found.keys()]);
  return [...found.values()].filter(({ term }) => common.has(term)).slice(0, MAX_TERMS_PER_USE);
}
