import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';

const loadIsbn = lazy(async () => (await import('isbn3')).default);

export const checkIsbn = defineTool({
  toolId: 'assay.isbn.check.v1',
  name: { en: 'Check and convert an ISBN', zh: 'ISBN 书号校验与转换' },
  description: {
    en: 'Validates a book number, converts between ISBN-10 and ISBN-13, hyphenates it by the official ranges and names its language area; suggests corrections of a wrong one.',
    zh: '校验图书 ISBN，在 ISBN-10 与 ISBN-13 之间转换，按官方号段加连字符并给出语言区；书号有误时给出更正建议。',
  },
  categories: ['validation'],
  capabilities: [{ id: 'publishing.check_isbn', tags: ['book', 'library', 'hyphenate', 'publisher'] }],
  parameters: {
    isbn: {
      schema: { type: 'string', minLength: 9, maxLength: 30 },
      en: 'ISBN of 10 or 13 digits, with or without hyphens.',
      zh: '10 位或 13 位 ISBN，可含连字符。',
      required: true,
    },
  },
  sampleParameters: { isbn: '316148410X' },
  price: perCall('0.2'),
  run: async (parameters) => {
    const { audit, parse } = await loadIsbn();
    const written = text(parameters, 'isbn');
    const book = parse(written);
    if (book === null) {
      // The library's own types have the candidate as a text.
      const clues = audit(written).clues as unknown as readonly { message: string; candidate: { isbn13h?: string } }[];
      const suggestions = clues.map(({ message, candidate }) => ({ isbn_13: candidate.isbn13h ?? null, why: message }));
      return { valid: false, suggestions };
    }
    return {
      valid: true,
      isbn_13: book.isbn13,
      isbn_13_hyphenated: book.isbn13h,
      isbn_10: book.isbn10 ?? null,
      isbn_10_hyphenated: book.isbn10h ?? null,
      group: book.groupname,
      publisher_code: book.publisher,
    };
  },
});
