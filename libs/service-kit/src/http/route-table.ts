import type { FastifyInstance } from 'fastify';

interface KnownRoute {
  readonly method: string;
  readonly pattern: RegExp;
  /** Characters of its path that are no parameter. */
  readonly plainLength: number;
}

/**
 * Knows every route of a server, so that a path that exists under other methods is answered 405 and not 404. Looked at
 * for unknown routes only.
 */
export class RouteTable {
  private readonly routes: KnownRoute[] = [];

  /** Must be attached before the first route. */
  attach(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      const methods = Array.isArray(route.method) ? route.method : [route.method];
      for (const method of methods) this.routes.push({ method, ...patternOf(route.url) });
    });
  }

  /** A 405 lists these: the methods of the path; for a method that no path has, those of all paths. */
  allowedFor(method: string, path: string): string[] {
    const ofPath = this.methodsOf(path);
    if (ofPath.length > 0 || this.routes.some((route) => route.method === method)) return ofPath;
    return [...new Set(this.routes.map((route) => route.method))].sort();
  }

  /** Whether `path` (with or without its query) would exist without the slashes at its end. */
  existsWithoutSlash(path: string): boolean {
    const bare = path.split('?', 1)[0] ?? path;
    return bare.length > 1 && bare.endsWith('/') && this.methodsOf(bare.replace(/\/{1,8}$/, '')).length > 0;
  }

  /**
   * Methods under which `path` (with or without its query) exists. Of several routes that fit it, those with the most plain text
   * are the place that it names: an id with an action is not the id, and `query` is no id.
   */
  methodsOf(path: string): string[] {
    const bare = path.split('?', 1)[0] ?? path;
    const fitting = this.routes.filter((route) => route.pattern.test(bare));
    const most = Math.max(...fitting.map(({ plainLength }) => plainLength));
    const methods = fitting.filter(({ plainLength }) => plainLength === most).map(({ method }) => method);
    return [...new Set(methods)].sort();
  }
}

/** Names of parameters that are an id with a colon and what is to be done to it. */
const ACTION = 'AndAction';

/**
 * Whether a request has come to the route of an action although the colon before it is percent-encoded. It is a part of the id then (RFC 3986,
 * 2.2), as it is where an action stands in the text of a route: the router compares that text with the path as it came, and decodes parameters.
 */
export function hasEncodedAction(route: string | undefined, path: string): boolean {
  if (route?.endsWith(ACTION) !== true) return false;
  const [bare = ''] = path.split('?', 1);
  const segment = bare.slice(bare.lastIndexOf('/') + 1);
  return /%3a/i.test(segment) && !segment.includes(':');
}

function patternOf(url: string): Omit<KnownRoute, 'method'> {
  const parts = url.split(/(::|:[A-Za-z_]\w*|\*)/).map((part) => {
    if (part === '::') return { source: ':', plainLength: 1 };
    if (part === '*') return { source: '.*', plainLength: 0 };
    if (part.startsWith(':') && part.endsWith(ACTION)) return { source: '[^/:]+:[^/]+', plainLength: 1 };
    if (part.startsWith(':')) return { source: '[^/]+', plainLength: 0 };
    return { source: part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'), plainLength: part.length };
  });
  return {
    pattern: new RegExp(`^${parts.map(({ source }) => source).join('')}$`),
    plainLength: parts.reduce((sum, part) => sum + part.plainLength, 0),
  };
}
