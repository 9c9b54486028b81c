import type { ShapeName } from '@capability-router/contracts/answers';
import type { JsonObject } from '@capability-router/kernel';
import type { Parameter } from '../parameters.js';
import type { RequestClass } from '../request-schema.js';

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** The shape of its success; a text where the answer is no JSON of ours. */
  readonly answer: ShapeName | { readonly types: readonly string[] };
  readonly body?: RequestClass | JsonObject;
  /** Members of the body that the class does not name are refused. */
  readonly closed?: true;
  readonly query?: RequestClass;
  readonly parameters?: readonly Parameter[];
  /** Default 200. */
  readonly success?: 201;
  /** Beside those that its route has. */
  readonly statuses?: readonly number[];
  /** The end of its path, where the route's last parameter has an action in it. */
  readonly action?: { readonly parameter: string; readonly verb: string };
}

/** By method and path of the gateway's route, behind `/api/v1`. */
export type Operations = Readonly<Record<string, Operation>>;
