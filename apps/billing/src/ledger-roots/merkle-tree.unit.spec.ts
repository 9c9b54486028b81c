import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MerkleTree } from './merkle-tree.js';

const sha256 = (...parts: Buffer[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** RFC 9162 §2.1.1, word by word. */
function defined(leaves: readonly string[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.from([0]), Buffer.from(leaves[0] ?? ''));
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Buffer.from([1]), defined(leaves.slice(0, split)), defined(leaves.slice(split)));
}

function rootOf(leaves: readonly string[]): string {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

describe('the Merkle tree', () => {
  it('has the hash of RFC 9162 for any number of leaves', () => {
    for (let size = 0; size <= 70; size += 1) {
      const leaves = Array.from({ length: size }, (_, index) => `leaf ${index}`);
      expect([size, rootOf(leaves)]).toEqual([size, defined(leaves).toString('hex')]);
    }
  });

  it('never changes: roots of earlier builds must still verify', () => {
    expect(rootOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(rootOf(['a', 'b', 'c'])).toBe('36642e73c2540ab121e3a6bf9545b0a24982cd830eb13d3cd19de3ce6c021ec1');
  });

  it('differs where a leaf is changed, missing, added, or exchanged with another', () => {
    const roots = [['a', 'b', 'c'], ['a', 'b', 'd'], ['a', 'b'], ['a', 'b', 'c', 'c'], ['b', 'a', 'c'], ['abc']].map(
      rootOf,
    );
    expect(new Set(roots).size).toBe(roots.length);
  });
});
