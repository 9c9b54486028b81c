import type { JsonObject } from '@capability-router/kernel';

/** The part of a tool that a binding of it reads. */
export interface BoundTool {
  readonly toolId: string;
  readonly version: number;
  /** The schema of an object that takes no other members. */
  readonly parametersSchema: JsonObject;
  /** Groups of names, of each of which a call needs one at least. */
  readonly oneOfRequired: readonly (readonly string[])[];
  /** The schema of `result.data`; null where the tool says nothing of it. */
  readonly resultSchema: JsonObject | null;
}
