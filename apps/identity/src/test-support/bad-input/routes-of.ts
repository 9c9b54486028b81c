import { DEVICE_PAGE_PATH } from '@capability-router/contracts';
import { RequestMethod, type Type } from '@nestjs/common';
import { OAuthErrorFilter } from '../../tokens/oauth-error.filter.js';
import { IdentityModule } from '../../identity.module.js';

export interface IdentityRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With a slash in front, and `:name` for what differs. */
  readonly path: string;
  /** The parts of a request that the handler reads, and in which shape. */
  readonly reads: 'json' | 'form' | 'nothing';
}

/** Nest's kinds of parameters, as it notes them. */
const BODY_KIND = 3;

/** Every route of the service, as Nest will make them of the modules: what is added is found here without a thought. */
export function identityRoutes(): IdentityRoute[] {
  return controllersOf(IdentityModule, new Set()).flatMap(routesOfController);
}

export const nameOf = ({ method, path }: IdentityRoute): string => `${method} ${path}`;

/** The path with the parameters' values. The router takes `::` for a literal colon. */
export const pathOf = ({ path }: IdentityRoute, valueOf: (parameter: string) => string): string =>
  path.replaceAll(/::|:([A-Za-z]\w*)/g, (_all, parameter?: string) =>
    parameter === undefined ? ':' : valueOf(parameter),
  );

function controllersOf(module: Type<unknown>, seen: Set<unknown>): Type<unknown>[] {
  if (seen.has(module)) return [];
  seen.add(module);
  const imported = noted<Type<unknown>[]>('imports', module) ?? [];
  const own = noted<Type<unknown>[]>('controllers', module) ?? [];
  return [...own, ...imported.flatMap((each) => controllersOf(each, seen))];
}

function routesOfController(controller: Type<unknown>): IdentityRoute[] {
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (name === 'constructor' || typeof handler !== 'function' || noted('path', handler) === undefined) return [];
    const parameters = Object.keys(noted<object>('__routeArguments__', controller, name) ?? {});
    const readsBody = parameters.some((parameter) => parameter.startsWith(`${BODY_KIND}:`));
    const path = joined(noted<string>('path', controller) ?? '', noted<string>('path', handler) ?? '');
    const filters = noted<unknown[]>('__exceptionFilters__', controller) ?? [];
    const isForm = filters.includes(OAuthErrorFilter) || path.startsWith(`/${DEVICE_PAGE_PATH.replace(/^\//, '')}`);
    const method = RequestMethod[noted<RequestMethod>('method', handler) ?? RequestMethod.GET];
    const reads = readsBody ? (isForm ? 'form' : 'json') : 'nothing';
    return [{ method: method as IdentityRoute['method'], path, reads }];
  });
}

const joined = (...parts: readonly string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;

const noted = <T>(key: string, target: object, property?: string): T | undefined =>
  (property === undefined ? Reflect.getMetadata(key, target) : Reflect.getMetadata(key, target, property)) as
    | T
    | undefined;
