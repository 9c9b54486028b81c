import type { Attempt } from '../admission/domain/plan.js';
import type { Came } from '../outcome/domain/came.js';

/** An attempt that has come to its end. */
export interface Tried<T> {
  readonly attempt: Attempt;
  readonly came: Came;
  readonly value: T;
}
