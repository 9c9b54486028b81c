const halves = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** The text with U+FFFD for each half of a surrogate pair: JavaScript's JSON has a form of them, which readers in other languages refuse. */
export const wellFormed = (text: string): string => text.replace(halves, '\uFFFD');
