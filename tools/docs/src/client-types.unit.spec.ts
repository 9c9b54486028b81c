import { expect, it } from '@jest/globals';
import { isMadeFrom, withHead } from './client-types.js';

const document = '{"paths":{"/a":{}}}';
const types = "export type paths = { readonly '/a': object };\n";
const file = withHead(types, document);

it('types are of the document that they were made from, and of no other', () => {
  expect(isMadeFrom(file, document)).toBe(true);
  expect(isMadeFrom(file, '{"paths":{"/b":{}}}')).toBe(false);
});

it('types that were edited are found, and so is a head without them', () => {
  expect(isMadeFrom(file.replace('object', 'string'), document)).toBe(false);
  expect(isMadeFrom(types, document)).toBe(false);
  expect(isMadeFrom('', document)).toBe(false);
});
