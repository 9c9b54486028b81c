import { expect, it } from '@jest/globals';
import { hashSecretText } from './hash-secret-text.js';

it('hashes with SHA-256', () => {
  expect(hashSecretText('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
