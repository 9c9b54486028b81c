import { readFileSync } from 'node:fs';

/** An operation of the public OpenAPI document. */
export interface DocumentedOperation {
  /** As `POST /tools/{tool_id}`. */
  readonly name: string;
  readonly method: string;
  /** The path of a request to it, with `/api/v1`. */
  readonly path: string;
  /** As the document has it, behind `/api/v1`. */
  readonly template: string;
  /** The path has a part that the caller chooses. */
  readonly hasParts: boolean;
  readonly statuses: readonly number[];
  /** The type of its body; undefined where it takes none. */
  readonly bodyType: string | undefined;
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
/** What the path of a request has for a part. */
export const ID_OF_PART = new RegExp(anId, 'g');

const document = JSON.parse(readFileSync(new URL('../../openapi/public.json', import.meta.url), 'utf8')) as Document;

const isAuthenticated = ({ security = document.security ?? [] }: Operation): boolean =>
  security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0);

/** Every operation that the document has. */
export const documentedOperations: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(
  ([template, members]) =>
    Object.entries(members)
      .filter(([method]) => methods.has(method))
      .map(([method, member]) => {
        const operation = member as Operation;
        return {
          name: `${method.toUpperCase()} ${template}`,
          method: method.toUpperCase(),
          template,
          hasParts: template.includes('{'),
          path: `/api/v1${template.replaceAll(/\{\w+\}/g, anId)}`,
          statuses: Object.keys(operation.responses).map(Number),
          bodyType: Object.keys(operation.requestBody?.content ?? {})[0],
          isAuthenticated: isAuthenticated(operation),
        };
      }),
);
