import { readFileSync } from 'node:fs';
import { PathTemplates, templateOfRoute } from '@capability-router/contracts/answers';
import { gatewayRoutes } from '../routes/routes.js';

/** An operation of an OpenAPI document. */
export interface DocumentedOperation {
  /** As `POST /tools/{tool_id}`. */
  readonly name: string;
  readonly method: string;
  /** The path of a request to it, from the origin on. */
  readonly path: string;
  /** Its path as the document has it, from the origin on. */
  readonly template: string;
  /** The path has a part that the caller chooses. */
  readonly hasParts: boolean;
  readonly statuses: readonly number[];
  /** The type of its body; undefined where it takes none. */
  readonly bodyType: string | undefined;
  /** Its body is passed on as it comes, and judged by its service alone. */
  readonly isStreamed: boolean;
  /** It takes a key. */
  readonly isAuthenticated: boolean;
}

interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly security?: readonly object[];
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly security?: readonly object[];
}

const methods = new Set(['get', 'head', 'post', 'put', 'patch', 'delete']);
const anId = '018f0000-0000-7000-8000-000000000009';
/** Stands in the path of a request for each of its parts. */
export const ID_OF_PART = new RegExp(anId, 'g');

/** Method and path of the routes that stream. */
const streamed = new PathTemplates(
  gatewayRoutes
    .filter(({ streams }) => streams === true)
    .map(({ method, path }) => `${method} ${templateOfRoute(path)}`),
);
const isStreamed = (method: string, template: string): boolean =>
  streamed.fitting(`${method.toUpperCase()} ${template}`).length > 0;

const needsKey = (security: readonly object[]): boolean =>
  security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);

function operationsOf(name: 'public' | 'admin'): readonly DocumentedOperation[] {
  const file = new URL(`../../openapi/${name}.json`, import.meta.url);
  const { servers, paths, security = [] } = JSON.parse(readFileSync(file, 'utf8')) as Document;
  const [server] = servers;
  return Object.entries(paths).flatMap(([path, members]) =>
    Object.entries(members)
      .filter(([method]) => methods.has(method))
      .map(([method, member]) => {
        const operation = member as Operation;
        const template = `${server?.url ?? ''}${path}`;
        return {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          template,
          hasParts: path.includes('{'),
          path: template.replaceAll(/\{\w+\}/g, anId),
          statuses: Object.keys(operation.responses).map(Number),
          bodyType: Object.keys(operation.requestBody?.content ?? {})[0],
          isStreamed: isStreamed(method, template),
          isAuthenticated: needsKey(operation.security ?? security),
        };
      }),
  );
}

/** Every operation of the public document, and of that of administrators. */
export const publicOperations = operationsOf('public');
export const adminOperations = operationsOf('admin');
