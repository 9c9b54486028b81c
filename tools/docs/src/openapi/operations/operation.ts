import type { ShapeName } from '@capability-router/contracts/answers';
import type { JsonObject } from '@capability-router/kernel';
import type { Parameter } from '../parameters.js';
import type { RequestClass } from '../request-schema.js';

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** The shape of its success; content types where the answer is no JSON of ours. */
  readonly answer: ShapeName | { readonly types: readonly string[]; readonly schema?: JsonObject };
  readonly body?: RequestClass | JsonObject;
  /** `application/json` where absent, or what forms have. */
  readonly bodyTypes?: readonly string[];
  /** Members of the body that the class does not name are refused. */
  readonly closed?: true;
  /** `null` stands for a body that is not there. */
  readonly bodyOrNull?: true;
  readonly query?: RequestClass;
  readonly parameters?: readonly Parameter[];
  /** Default 200. */
  readonly success?: 201 | 202;
  /** Beside those that its route has. */
  readonly statuses?: readonly number[];
  /** The end of its path, where the route's last parameter is an action, or a parameter with an action behind it. */
  readonly action?: { readonly parameter?: string; readonly verb: string };
  /** Repeated with the same `Idempotency-Key`, it answers what it answered first, and says so. */
  readonly replayed?: true;
}

/** By method and path of the gateway's route, behind the prefix of the interface; several where a route has several actions. */
export type Operations = Readonly<Record<string, Operation | readonly Operation[]>>;
