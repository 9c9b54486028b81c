/** Characters of one part of an id. */
const MAX_PART_LENGTH = 60;
/** Words with which an operation begins that does something. */
const verbs = new Set([
  ...[
    'get',
    'list',
    'find',
    'search',
    'query',
    'fetch',
    'read',
    'show',
    'retrieve',
    'lookup',
    'count',
    'check',
    'validate',
  ],
  ...[
    'create',
    'add',
    'post',
    'insert',
    'register',
    'update',
    'put',
    'patch',
    'replace',
    'set',
    'edit',
    'modify',
    'upsert',
  ],
  ...[
    'delete',
    'remove',
    'cancel',
    'archive',
    'restore',
    'send',
    'run',
    'start',
    'stop',
    'execute',
    'convert',
    'compute',
  ],
  ...[
    'calculate',
    'generate',
    'translate',
    'resolve',
    'download',
    'upload',
    'export',
    'import',
    'batch',
    'sync',
    'make',
    'measure',
    'describe',
  ],
]);

/** `listPets`, `list-pets`, `HTTPServer` to lower-case words of ASCII letters and digits. */
export function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

const part = (words: readonly string[]): string => words.join('_').slice(0, MAX_PART_LENGTH).replace(/_+$/, '');

export interface ResourceAction {
  readonly resource: string;
  readonly action: string;
}

/**
 * The resource and the action of a name: `listPets` and `pets/list` are `pets` and `list`. A name that begins with no known
 * verb has its first word as resource. `fallback` is the resource of a name of one word.
 */
export function resourceAndAction(name: string, fallback: string): ResourceAction | undefined {
  const [head = '', ...tail] = name.split(/[/.:#]+/).filter((piece) => wordsOf(piece).length > 0);
  if (tail.length > 0) return { resource: part(wordsOf(head)), action: part(wordsOf(tail.join(' '))) };
  const words = wordsOf(name);
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  if (rest.length === 0) return { resource: fallback, action: part(words) };
  return verbs.has(first) ? { resource: part(rest), action: first } : { resource: first, action: part(rest) };
}

const actionOfMethod: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

/** For an operation without a name: `GET /pets/{id}/photos` is `pets_photos` and `list`, `GET /pets/{id}` `pets`, `get`. */
export function resourceAndActionOfPath(method: string, path: string, fallback: string): ResourceAction {
  const segments = path.split('/').filter((segment) => segment !== '');
  const fixed = segments.filter((segment) => !segment.includes('{')).flatMap(wordsOf);
  const last = segments.at(-1) ?? '';
  const action = method === 'GET' && !last.includes('{') ? 'list' : (actionOfMethod[method] ?? method.toLowerCase());
  return { resource: part(fixed) || fallback, action };
}

/**
 * Gives each tool of a source an id that nobody else of it has. What was given before stays, so that a renamed or a newly
 * added operation takes no id away from another.
 */
export class ToolIds {
  private readonly taken: Set<string>;

  constructor(
    private readonly providerId: string,
    /** By the key of the tool at the source. */
    private readonly known: Readonly<Record<string, string>>,
  ) {
    this.taken = new Set(Object.values(known));
  }

  idOf(key: string, { resource, action }: ResourceAction): string {
    const before = Object.hasOwn(this.known, key) ? this.known[key] : undefined;
    if (before !== undefined) return before;
    for (let count = 1; ; count += 1) {
      const id = `${this.providerId}.${resource}.${action}${count === 1 ? '' : `_${count}`}.v1`;
      if (this.taken.has(id)) continue;
      this.taken.add(id);
      return id;
    }
  }
}
