import type { Api } from './api.js';
import type { Child } from './elements.js';
import type { JsonObject } from './json.js';
import type { Place } from './place.js';

/** One look at a view: all that the view is given. */
export interface Visit {
  readonly api: Api;
  readonly place: Place;
  readonly memory: Memory;
  /** Reads and draws the view anew. */
  readonly again: () => void;
  /** The key is not valid any more. */
  readonly signOut: (reason: string) => void;
}

/** Things that a reader who comes back finds as they were, without another request. */
export interface Memory {
  search?: { readonly need: string; readonly answer: JsonObject };
  /** The list of keys says it once. */
  notice?: string;
}

/** Throws ApiFailure. */
export type View = (visit: Visit) => Promise<readonly Child[]>;
