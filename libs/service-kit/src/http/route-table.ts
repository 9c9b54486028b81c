import type { FastifyInstance } from 'fastify';

interface KnownRoute {
  readonly method: string;
  readonly pattern: RegExp;
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
      for (const method of methods) this.routes.push({ method, pattern: patternOf(route.url) });
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

  /** Methods under which `path` (with or without its query) exists. */
  methodsOf(path: string): string[] {
    const bare = path.split('?', 1)[0] ?? path;
    const methods = this.routes.filter((route) => route.pattern.test(bare)).map((route) => route.method);
    return [...new Set(methods)].sort();
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split(/(::|:[A-Za-z_]\w*|\*)/)
    .map((part) => {
      if (part === '::') return ':';
      if (part === '*') return '.*';
      if (part.startsWith(':')) return '[^/]+';
      return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}
