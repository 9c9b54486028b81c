import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissiveLicence, type PermissiveLicence } from './licences.js';

/** The texts of one operation of a public web API. */
export interface Operation {
  readonly api: string;
  /** Operation id, path and tags. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Names and descriptions of the parameters and of the body's properties. */
  readonly parameters: string;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;
/** Characters of a description that are read. */
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_PARAMETER_DESCRIPTION_LENGTH = 200;
const MAX_PARAMETERS = 30;
const MAX_BODY_PROPERTIES = 20;

type Node = Readonly<Record<string, unknown>>;
const node = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const text = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/<[^>]*>/g, ' ').replace(/https?:\S+/g, ' ') : '';

export interface OperationsByLicence {
  readonly operations: Operation[];
  /** How many files each licence contributed. */
  readonly filesByLicence: ReadonlyMap<PermissiveLicence, number>;
}

/**
 * The operations of those OpenAPI files under `folder` whose own `info.license` is permissive, equal ones once, in the
 * order of their file names.
 */
export function permissiveOperations(folder: string): OperationsByLicence {
  const filesByLicence = new Map<PermissiveLicence, number>();
  const operations = new Map<string, Operation>();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
  for (const path of paths.sort()) {
    const document = node(JSON.parse(readFileSync(join(folder, path), 'utf8')));
    const licence = permissiveLicence(node(node(document['info'])['license']));
    if (licence === undefined) continue;
    filesByLicence.set(licence, (filesByLicence.get(licence) ?? 0) + 1);
    for (const operation of operationsOf(document)) {
      const { api, name, summary, description } = operation;
      operations.set([api, name, summary, description].join('\n'), operation);
    }
  }
  return { operations: [...operations.values()], filesByLicence };
}

function operationsOf(document: Node): Operation[] {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(node(document['paths']))) {
    for (const method of methods) {
      const operation = node(item)[method];
      if (operation !== undefined) operations.push(toOperation(document, path, node(item), node(operation)));
    }
  }
  return operations;
}

function toOperation(document: Node, path: string, item: Node, operation: Node): Operation {
  const parameters = [...list(item['parameters']), ...list(operation['parameters'])]
    .map((parameter) => resolved(document, parameter))
    .map(({ name, description }) => described(text(name), description));
  const body = Object.values(node(resolved(document, operation['requestBody'])['content']))[0];
  const properties = node(resolved(document, node(body)['schema'])['properties']);
  for (const [name, schema] of Object.entries(properties).slice(0, MAX_BODY_PROPERTIES)) {
    parameters.push(described(name, resolved(document, schema)['description']));
  }
  const id = text(operation['operationId']).replace(/[._]/g, ' ');
  return {
    api: text(node(document['info'])['title']),
    name: [id, path.replace(/[{}]/g, ' '), ...list(operation['tags']).map(text)].join(' '),
    summary: text(operation['summary']),
    description: text(operation['description']).slice(0, MAX_DESCRIPTION_LENGTH),
    parameters: parameters.slice(0, MAX_PARAMETERS).join(' '),
  };
}

function described(name: string, description: unknown): string {
  return `${name} ${text(description).slice(0, MAX_PARAMETER_DESCRIPTION_LENGTH)}`;
}

/** Follows one `#/…` reference. */
function resolved(document: Node, value: unknown): Node {
  const reference = node(value)['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return node(value);
  const keys = reference.slice(2).split('/');
  return node(keys.reduce<unknown>((at, key) => node(at)[key.replace(/~1/g, '/').replace(/~0/g, '~')], document));
}
