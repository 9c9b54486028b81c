/** Compares the tables of the specification, where it is beside the project, with the document that the code makes. */
import { isJsonObject, type JsonObject, type JsonValue } from '@capability-router/kernel';

/** Fields of these sections are members of the answer of an operation, at any depth. */
const answersOf: Readonly<Record<string, string>> = {
  'Search response': 'POST /search',
  'Tool result (shared by Discover and Inspect)': 'POST /tools/by-ids',
  'Execute response (PublicExecuteToolResponse)': 'POST /tools/execute',
  'Usage event (audit row)': 'GET /auth/usage/history/v2',
  'Ledger entry': 'GET /auth/credits/ledger',
  'List wrapper used by usage history and ledger (`data`)': 'GET /auth/credits/ledger',
};

/** The document says these otherwise, for the reason given. */
const otherwise: Readonly<Record<string, string>> = {
  'GET /auth/usage/history/v2: limit has no maximum 50': 'what is above it is taken for it',
  'GET /auth/credits/ledger: limit has no maximum 50': 'what is above it is taken for it',
  ...Object.fromEntries(
    ['message', 'truncated_content', 'full_content_file_url', 'content_schema'].map((member) => [
      `Execute response (PublicExecuteToolResponse): no answer of POST /tools/execute has ${member}`,
      'a result is of its tool; acceptance `execute-truncation` looks at what stands in one that is cut',
    ]),
  ),
};

interface Section {
  readonly title: string;
  readonly text: string;
  /** Cells of each row of its tables, by their heads. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

function sectionsOf(markdown: string): Section[] {
  return markdown.split(/^#{2,3} /m).map((part) => {
    const [title = '', ...lines] = part.split('\n');
    let heads: string[] = [];
    const rows: Record<string, string>[] = [];
    for (const line of lines) {
      if (!line.startsWith('|')) heads = [];
      else if (heads.length === 0) heads = cellsOf(line);
      else if (!/^\|[-| ]+$/.test(line)) {
        const cells = cellsOf(line);
        rows.push(Object.fromEntries(heads.map((head, place) => [head, cells[place] ?? ''])));
      }
    }
    return { title, text: lines.filter((line) => !line.startsWith('|')).join('\n'), rows };
  });
}

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
const namesIn = (cell: string): string[] =>
  [...cell.matchAll(/\b[a-z][a-z_]*[a-z]\b(?:\.[a-z_]+)*/g)].map(([name]) => name);

const at = (value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined =>
  names.reduce((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);

/** The findings: what a table names and the document does not have. */
export function differencesFrom(documents: readonly string[], document: JsonObject): string[] {
  const sections = documents.flatMap(sectionsOf);
  const found = [
    ...sections.flatMap((section) => operationFindings(section, document)),
    ...sections.flatMap(({ title, rows }) => {
      const name = answersOf[title];
      return name === undefined ? [] : answerFindings(title, name, rows, document);
    }),
    ...documents.flatMap((text) => missingPaths(text, document)),
  ];
  return found.filter((finding) => otherwise[finding] === undefined);
}

function operationOf(name: string, document: JsonObject): JsonValue | undefined {
  const [method = '', path = ''] = name.split(' ');
  return at(document, 'paths', path, method.toLowerCase());
}

function operationFindings({ title, text, rows }: Section, document: JsonObject): string[] {
  const [, name] = /: ((?:GET|POST|PUT|PATCH|DELETE) \/\S+)$/.exec(title) ?? [];
  if (name === undefined) return [];
  const operation = operationOf(name, document);
  if (operation === undefined) return [`${name}: is not in the document`];
  return [
    ...rows.flatMap((row) =>
      'Required' in row ? bodyFindings(name, row, operation) : queryFindings(name, row, operation),
    ),
    ...namedInText(text)
      .filter((query) => queryOf(operation, query) === undefined)
      .map((query) => `${name}: has no ${query}`),
    ...defaultsInText(text).flatMap(([query, value]) => defaultFindings(name, query, value, queryOf(operation, query))),
    ...statusesIn(text)
      .filter((status) => at(operation, 'responses', status) === undefined)
      .map((status) => `${name}: has no status ${status}`),
  ];
}

function bodyFindings(name: string, row: Readonly<Record<string, string>>, operation: JsonValue): string[] {
  const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema');
  const required = at(schema, 'required');
  return namesIn(row['Field'] ?? '').flatMap((field) => {
    if (at(schema, 'properties', field) === undefined) return [`${name}: its body has no ${field}`];
    const isMissing = row['Required'] === 'yes' && !(Array.isArray(required) && required.includes(field));
    return isMissing
      ? [`${name}: ${field} is not required`]
      : rangeFindings(name, field, row['Meaning'] ?? '', at(schema, 'properties', field));
  });
}

function queryFindings(name: string, row: Readonly<Record<string, string>>, operation: JsonValue): string[] {
  return namesIn(row['Name'] ?? '').flatMap((query) => {
    const parameter = queryOf(operation, query);
    if (parameter === undefined) return [`${name}: has no ${query}`];
    const told = `${row['Type'] ?? ''}; ${row['Default / range'] ?? ''}`;
    return rangeFindings(name, query, told, at(parameter, 'schema'));
  });
}

function queryOf(operation: JsonValue, query: string): JsonValue | undefined {
  const parameters = at(operation, 'parameters');
  return Array.isArray(parameters)
    ? parameters.find((one) => at(one, 'name') === query && at(one, 'in') === 'query')
    : undefined;
}

function rangeFindings(name: string, member: string, told: string, schema: JsonValue | undefined): string[] {
  const [, low, high] = /(?:range |^|; )(\d+) to (\d+)/.exec(told) ?? [];
  const [, least] = /(?:minimum |>= )(\d+)/.exec(told) ?? [];
  const [, value] = /(?:^|; )default `?(\w+)/i.exec(told) ?? [];
  const wanted = { minimum: low ?? least, maximum: high };
  return [
    ...Object.entries(wanted).flatMap(([keyword, bound]) =>
      bound === undefined || at(schema, keyword) === Number(bound)
        ? []
        : [`${name}: ${member} has no ${keyword} ${bound}`],
    ),
    ...(value === undefined ? [] : defaultFindings(name, member, value, { schema: schema ?? null })),
  ];
}

function defaultFindings(name: string, member: string, value: string, parameter: JsonValue | undefined): string[] {
  const told = JSON.stringify(at(parameter, 'schema', 'default') ?? null);
  return told === value || told === JSON.stringify(value) ? [] : [`${name}: ${member} has no default ${value}`];
}

/** Names in prose with the default that stands behind each between brackets. */
const defaultsInText = (text: string): (readonly [name: string, value: string])[] =>
  [...text.matchAll(/`([a-z_]+)` \((?:\w+, )?default `?(\w+)/g)].map(([, name = '', value = '']) => [name, value]);

/** Names that prose lists behind "Query", apart from values that it calls a default. */
const namedInText = (text: string): string[] =>
  [...text.matchAll(/^Query[^:]*: ([^]*?)(?:\. |$)/gm)].flatMap(([, list = '']) =>
    [...list.replaceAll(/default `[^`]*`/g, '').matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name),
  );

const statusesIn = (text: string): string[] =>
  [...text.matchAll(/(?:Errors: |HTTP codes )([^]*?)(?:\.\s|$)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/\b[1-5]\d\d\b/g)].map(([status]) => status),
  );

function answerFindings(title: string, name: string, rows: Section['rows'], document: JsonObject): string[] {
  const members = membersOf(
    at(operationOf(name, document), 'responses', '200', 'content', 'application/json', 'schema'),
    document,
  );
  return rows
    .flatMap((row) => namesIn((row['Field'] ?? '').replaceAll(/ and its .*/g, '')))
    .flatMap((field) => field.split('.'))
    .filter((field) => !members.has(field))
    .map((field) => `${title}: no answer of ${name} has ${field}`);
}

/** Names of all members of a schema, at any depth. */
function membersOf(schema: JsonValue | undefined, document: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const waiting: (JsonValue | undefined)[] = [schema];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next);
    if (!isJsonObject(next)) continue;
    const { $ref: ref, properties } = next;
    if (typeof ref === 'string' && !seen.has(ref)) {
      seen.add(ref);
      waiting.push(at(document, ...ref.slice(2).split('/')));
    }
    for (const name of isJsonObject(properties) ? Object.keys(properties) : []) found.add(name);
    waiting.push(...Object.values(next));
  }
  return found;
}

/** Operations that are named anywhere in text between backticks, with the path behind the base URL. */
function missingPaths(text: string, document: JsonObject): string[] {
  const named = [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`?\s]+)[^`]*`/g)].map(
    ([, method = '', path = '']) => `${method} ${path}`,
  );
  const ofBase = named.filter((name) => !/ \/(admin|internal|\.well-known|mcp)/.test(name));
  const known = new Set(
    Object.entries(isJsonObject(document['paths']) ? document['paths'] : {}).flatMap(([path, methods]) =>
      Object.keys(isJsonObject(methods) ? methods : {}).map((method) =>
        withoutNames(`${method.toUpperCase()} ${path}`),
      ),
    ),
  );
  return [...new Set(ofBase)]
    .filter((name) => !known.has(withoutNames(name)))
    .map((name) => `${name}: is not in the document`);
}

const withoutNames = (name: string): string => name.replaceAll(/\{\w+\}/g, '{}');
