import type { LocalizedText } from '@capability-router/contracts';
import type { Queryable } from '@capability-router/event-store';

/** A capability with a contract, or one that tools declare: then what follows the description is absent. */
export interface KnownCapability {
  readonly capabilityId: string;
  /** Where a capability is only declared, this is how the first of its tools describes itself. */
  readonly description: LocalizedText;
  readonly contract?: {
    readonly name: LocalizedText;
    readonly contractVersion: number;
    readonly schemaHash: string;
    readonly candidateCount: number;
  };
}

export interface CapabilityPage {
  /** All that fit, not only the page. */
  readonly total: number;
  readonly capabilities: readonly KnownCapability[];
}

/**
 * $1: words, folded, that id, name and description hold, all of them. $4 and $5: letters outside ASCII and those that they are folded to;
 * lower() folds such letters in some locales only, and is held to ASCII so that every database finds the same. What is only declared is
 * found by its id, and described once it is on the page: there are as many descriptions as tools. The first is taken by an aggregate,
 * because ORDER BY and LIMIT walk the primary key, past every tool, until one declares it. Ids are compared by their bytes, so that every
 * database has one order.
 */
export const listSql = `
WITH known AS (
  SELECT capability_id, contract, contract_version, schema_hash,
         concat_ws(E'\\n', capability_id, contract->'name'->>'en', contract->'name'->>'zh',
           contract->'description'->>'en', contract->'description'->>'zh') AS text
    FROM capabilities WHERE NOT retired
  UNION ALL
  SELECT declared.capability_id, NULL, NULL, NULL, translate(declared.capability_id, '._-', '   ') || E'\\n' || declared.capability_id
    FROM (SELECT DISTINCT unnest(capability_ids) AS capability_id FROM declared_capabilities) AS declared
   WHERE NOT EXISTS (SELECT FROM capabilities WHERE capabilities.capability_id = declared.capability_id AND NOT retired)
), fitting AS (
  SELECT * FROM known
   WHERE NOT EXISTS (
           SELECT FROM unnest($1::text[]) AS word WHERE strpos(lower(translate(normalize(text, NFKC), $4, $5) COLLATE "C"), word) = 0)
), page AS (
  SELECT * FROM fitting ORDER BY capability_id COLLATE "C" OFFSET $2 LIMIT $3
)
SELECT (SELECT count(*)::int FROM fitting) AS total, capability_id, contract_version, schema_hash, contract->'name' AS name,
       json_array_length(contract->'candidates') AS candidate_count,
       COALESCE(contract->'description', (
         SELECT (array_agg(description ORDER BY tool_id))[1]::json FROM declared_capabilities
          WHERE capability_ids @> ARRAY[page.capability_id])) AS description
  FROM (SELECT) AS always LEFT JOIN page ON true
 ORDER BY capability_id COLLATE "C"`;

interface Row {
  readonly total: number;
  /** Null in the only row of an empty page. */
  readonly capability_id: string | null;
  readonly description: LocalizedText;
  readonly name: LocalizedText;
  readonly contract_version: number | null;
  readonly schema_hash: string;
  readonly candidate_count: number;
}

/** Other forms of small letters, which are not their one capital. */
const otherForms: Readonly<Record<string, string>> = { i: 'İ', ß: 'ẞ', σ: 'ς' };

/** The letters outside ASCII that stand in texts for those of `words`, and those of the words, one for one. */
function foldsFor(words: readonly string[]): { readonly from: string; readonly to: string } {
  const folds = new Map<string, string>();
  for (const letter of new Set(words.join(''))) {
    // The base alone: with all its marks, a Greek letter may have two for its capital.
    const [base = '', ...marks] = letter.normalize('NFD');
    const capital = `${base.toUpperCase()}${marks.join('')}`.normalize('NFC');
    const isOne = capital !== letter && capital.toLowerCase() === letter && [...capital].length === 1;
    if (letter > '\u007f' && isOne) folds.set(capital, letter);
    const other = otherForms[letter];
    if (other !== undefined) folds.set(other, letter);
  }
  return { from: [...folds.keys()].join(''), to: [...folds.values()].join('') };
}

/** By id. `words`: in lower case and NFKC. */
export async function listCapabilities(
  db: Queryable,
  query: { readonly words: readonly string[]; readonly skip: number; readonly limit: number },
): Promise<CapabilityPage> {
  // In lower case, the letters of otherForms have two forms, or a mark of their own.
  const words = query.words.map((word) => word.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i'));
  const { from, to } = foldsFor(words);
  const { rows } = await db.query<Row>(listSql, [words, query.skip, query.limit, from, to]);
  return { total: rows[0]?.total ?? 0, capabilities: rows.flatMap(toCapability) };
}

function toCapability(row: Row): KnownCapability[] {
  const { capability_id: capabilityId, description, name, contract_version: contractVersion } = row;
  if (capabilityId === null) return [];
  if (contractVersion === null) return [{ capabilityId, description }];
  const { schema_hash: schemaHash, candidate_count: candidateCount } = row;
  return [{ capabilityId, description, contract: { name, contractVersion, schemaHash, candidateCount } }];
}
