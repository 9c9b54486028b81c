import { createHash } from 'node:crypto';

/** Prefixes of RFC 9162: no leaf can be taken for an inner node. */
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/**
 * The Merkle tree hash of RFC 9162 §2.1.1 (SHA-256), fed leaf by leaf. It keeps one hash for each set bit of the number
 * of leaves, so a million accounts need twenty.
 */
export class MerkleTree {
  /** Complete subtrees, the largest first; `size` is a power of two. */
  private readonly subtrees: { readonly size: number; readonly hash: Buffer }[] = [];
  private leaves = 0;

  add(leaf: string): void {
    this.leaves += 1;
    let added = { size: 1, hash: createHash('sha256').update(LEAF).update(leaf, 'utf8').digest() };
    for (let last = this.subtrees.at(-1); last?.size === added.size; last = this.subtrees.at(-1)) {
      this.subtrees.pop();
      added = { size: added.size * 2, hash: hashNode(last.hash, added.hash) };
    }
    this.subtrees.push(added);
  }

  get size(): number {
    return this.leaves;
  }

  /** 64 hex digits; of no leaves, the hash of nothing. Leaves can be added afterwards. */
  root(): string {
    const [smallest, ...larger] = [...this.subtrees].reverse();
    if (smallest === undefined) return createHash('sha256').digest('hex');
    return larger.reduce((right, left) => hashNode(left.hash, right), smallest.hash).toString('hex');
  }
}

const hashNode = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();
