import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import { beginSpan, makesSpans, type EndSpan } from '../observability/tracing/tracing.js';

/** The first argument of `query`, in the shapes that are used: a text, one with its name, or something that reads rows by itself. */
type Asked = string | { readonly name?: string; readonly text?: string; readonly submit?: unknown } | undefined;
type Answered = (error: unknown, ...result: unknown[]) => void;
type Query = (...given: unknown[]) => unknown;

/** Verbs by which a statement may be told; another is `statement`. */
const VERBS: ReadonlySet<string> = new Set(
  'SELECT INSERT UPDATE DELETE WITH LOCK BEGIN START COMMIT ROLLBACK SAVEPOINT RELEASE SET NOTIFY COPY'.split(' '),
);
/** Where a plain name of a table stands first. */
const TABLE = /\b(?:FROM|INTO|UPDATE|TABLE)\s+(?:ONLY\s+)?"?([a-z_][a-z0-9_]*)"?/;
const MAX_NAME = 80;

/**
 * Each statement of a pool is a span of the request that asks for it, where the spans of that are kept: by its name, or its verb and first table. Texts and
 * values of statements stay here. Nothing is changed where nothing is traced.
 */
export function traceStatements(pool: pg.Pool): void {
  if (!makesSpans()) return;
  const traced = new WeakSet<pg.PoolClient>();
  const connect = pool.connect.bind(pool) as Query;
  // Whoever waits for a connection is called by the one who gives it back, and is of a request of its own.
  pool.connect = ((...given: unknown[]) => {
    const [callback] = given;
    return typeof callback === 'function' ? connect(AsyncResource.bind(callback as Answered)) : connect();
  }) as typeof pool.connect;
  pool.on('acquire', (client) => {
    if (traced.has(client)) return;
    traced.add(client);
    const query = client.query.bind(client) as Query;
    client.query = ((...given: unknown[]) => tracedQuery(query, given)) as typeof client.query;
  });
}

function tracedQuery(query: Query, given: unknown[]): unknown {
  const asked = given[0] as Asked;
  if (typeof asked === 'object' && asked.submit !== undefined) return query(...given);
  const end = beginSpan(statementName(asked), { 'db.system.name': 'postgresql' });
  if (end === undefined) return query(...given);
  const callback = given.at(-1);
  if (typeof callback === 'function') return query(...given.slice(0, -1), endingWith(end, callback as Answered));
  const answer = query(...given) as Promise<unknown>;
  answer.then(() => end(), end);
  return answer;
}

const endingWith =
  (end: EndSpan, callback: Answered): Answered =>
  (error, ...result) => {
    end(error);
    callback(error, ...result);
  };

/** As many names as the source has statements: `lock-consumer-positions`, `SELECT holds`. */
export function statementName(asked: Asked): string {
  if (typeof asked === 'object' && asked.name !== undefined) return asked.name.slice(0, MAX_NAME);
  const text = (typeof asked === 'string' ? asked : asked?.text) ?? '';
  const verb = /^\s*([A-Za-z]+)/.exec(text)?.[1]?.toUpperCase() ?? '';
  if (!VERBS.has(verb)) return 'statement';
  const table = TABLE.exec(text)?.[1];
  return (table === undefined ? verb : `${verb} ${table}`).slice(0, MAX_NAME);
}
