import type { JsonValue } from '@capability-router/kernel';

/** Something hostile that can be had in any size. */
export interface Shape<T extends JsonValue = JsonValue> {
  readonly name: string;
  /** `size`: characters of a text, items of a list, members of an object, values of a document. */
  of(size: number): T;
}
