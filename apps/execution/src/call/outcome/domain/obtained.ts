import type { JsonValue } from '@capability-router/kernel';
import type { Classified } from './classify-outcome.js';

/** The result of a call, and what it is worth. */
export interface Obtained {
  readonly classified: Classified;
  /** Null where the tool failed. */
  readonly data: JsonValue;
  /** The data as JSON in UTF-8; absent where the tool failed. */
  readonly serialized?: Buffer;
  /** The result of the capability that was made out of it, which the caller gets; absent where that is the tool's own. */
  readonly shown?: { readonly data: JsonValue; readonly serialized: Buffer };
  /** The provider was not asked. */
  readonly fromCache: boolean;
  /** False: it is certain that nothing was sent to the provider. */
  readonly sent?: false;
}
