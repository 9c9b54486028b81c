import { STATUS_CODES } from 'node:http';
import { API_PREFIX } from '@capability-router/contracts';
import { oauthRefusals, type ShapeName } from '@capability-router/contracts/answers';
import type { GatewayRoute } from '@capability-router/gateway';
import type { JsonObject } from '@capability-router/kernel';
import { headersOf } from './answer-headers.js';
import { textOfStatus } from './statuses.js';

/** The content of an answer that is one of these shapes. */
export function jsonOf(names: readonly ShapeName[]): JsonObject {
  const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { 'application/json': { schema: refs.length === 1 ? (refs[0] ?? {}) : { anyOf: refs } } };
}

/** Refusals, each declared once: routes of one kind refuse alike. */
export class FailureResponses {
  private readonly byName = new Map<string, JsonObject>();

  /** The answer of a route with a status that is not its success. `content`: what its success has. */
  of(status: number, route: GatewayRoute, content: JsonObject): JsonObject {
    const described = { description: textOfStatus(status), headers: headersOf(status, route) };
    // A part of a result, and a result that the caller has already.
    if (status < 400) return status === 206 ? { ...described, content } : described;
    const name = `${STATUS_CODES[status]?.replaceAll(/[^A-Za-z]/g, '') ?? ''}${kindOf(route, status)}`;
    const refusal = { ...described, content: jsonOf(shapesOf(route, status)) };
    this.byName.set(name, route.method === 'HEAD' ? described : refusal);
    return { $ref: `#/components/responses/${name}` };
  }

  declared(): JsonObject {
    return Object.fromEntries([...this.byName].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

const isAdmin = ({ path }: GatewayRoute): boolean => path.startsWith('/admin/');
/** The refusal of a route of OAuth in the words of its specification, which has two statuses. */
const ofOAuth = ({ path }: GatewayRoute, status: number): ShapeName | undefined =>
  status === 400 || status === 401 ? oauthRefusals[path.slice(API_PREFIX.length)] : undefined;

function kindOf(route: GatewayRoute, status: number): string {
  if (route.method === 'HEAD') return 'WithoutBody';
  const refusal = ofOAuth(route, status);
  if (refusal !== undefined) return `Of${refusal.replace('Refusal', '')}`;
  if (route.shape === 'execute') return 'OfCall';
  if (route.executes === true) return 'OfCapability';
  return route.shape === 'search' ? 'OfSearch' : '';
}

function shapesOf(route: GatewayRoute, status: number): ShapeName[] {
  if (isAdmin(route)) return ['AdminFailure'];
  const refusal = ofOAuth(route, status);
  if (refusal !== undefined) return [refusal, 'Failure'];
  if (route.shape === 'execute') return ['ExecuteRefusal', 'Failure'];
  if (route.executes === true) return ['CapabilityRefusal', 'Failure'];
  return route.shape === 'search' ? ['SearchFailure', 'Failure'] : ['Failure'];
}
