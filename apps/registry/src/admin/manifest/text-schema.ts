/** Texts of manifests as JSON Schema. */

/** Characters. */
export const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 5_000;

export const oneLine = '^[^\\n\\r\\t]*$';
const notBlank = '\\S';

const localized = (maxLength: number, description: string, line: boolean) => {
  const text = {
    type: 'string',
    minLength: 1,
    maxLength,
    allOf: [{ pattern: notBlank }, ...(line ? [{ pattern: oneLine }] : [])],
  };
  return {
    type: 'object',
    additionalProperties: false,
    required: ['en'],
    properties: { en: text, zh: text },
    description,
  };
};

export const nameSchema = localized(MAX_NAME_LENGTH, 'One line, in English and, where you can, in Chinese.', true);
export const descriptionSchema = localized(
  MAX_DESCRIPTION_LENGTH,
  'What it does, for whom, and what it returns. Agents find it by these words and choose by them.',
  false,
);
