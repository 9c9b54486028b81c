import type { Readable } from 'node:stream';
import { isAccountId, isExecutionId, type AccountId, type ExecutionId } from '@capability-router/kernel';

/** The account and the execution whose result it is. */
export interface ResultKey {
  readonly accountId: AccountId;
  readonly executionId: ExecutionId;
}

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A result that was found. Read it once, or close it. */
export interface OpenResult {
  readonly sizeBytes: number;
  /** All bytes, or those of the range, no faster than they are taken. The stream fails where they do not all come. */
  read(range?: ByteRange): Promise<Readable>;
  close(): Promise<void>;
}

/** Something in the store, whatever put it there: a result, or what a crash left of one. */
export interface StoredObject {
  readonly name: string;
  readonly sizeBytes: number;
  readonly writtenMs: number;
}

/** An object, or a folder of them, that the store may not touch, as one of another user is. It says nothing of the others. */
export class InaccessibleObject extends Error {
  override readonly name = 'InaccessibleObject';

  constructor(
    readonly object: string,
    cause: unknown,
  ) {
    super(`${object} in the result store is not accessible`, { cause });
  }
}

export interface StoredPage {
  readonly objects: readonly StoredObject[];
  /** Left out of the objects, with all that is in them. Absent where there is none. */
  readonly inaccessible?: readonly InaccessibleObject[];
  /** The next page begins here; absent after the last. */
  readonly next?: string;
}

/**
 * Where full results are: whole or not there, under a name that begins with the account, `{account_id}/{execution_id}.json`.
 * Keeps no books and knows no bounds but its time limits: see `KeptResults`.
 */
export interface ResultStore {
  save(key: ResultKey, content: Buffer): Promise<void>;
  /** Undefined where it is not, or not any more. */
  open(key: ResultKey): Promise<OpenResult | undefined>;
  /** Nothing happens where there is none. Throws `InaccessibleObject` where it is this object alone that cannot be removed. */
  remove(name: string): Promise<void>;
  /** The kept results in the order of their names, one bounded page at a time: of one account, or all that are accessible. */
  list(of: { readonly accountId?: AccountId; readonly after?: string | undefined }): Promise<StoredPage>;
  close(): void;
}

/** Throws where an id is none: no id can name anything outside the store. */
export function nameOf({ accountId, executionId }: ResultKey): string {
  if (!isAccountId(accountId) || !isExecutionId(executionId)) throw new Error('not the key of a result');
  return `${accountId}/${executionId}.json`;
}
