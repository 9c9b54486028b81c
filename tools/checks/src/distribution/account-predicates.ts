import type { ParseResult } from 'libpg-query';

/**
 * How a statement finds the rows of one table: by one account (`=` a value), by the accounts of a batch (`= ANY`), by the
 * account of another table or of a row that is at hand (`joined`), as rows that it writes with their account (`written`),
 * or by something else, so that every database would have to be asked.
 */
export type Access = 'one account' | 'accounts of a batch' | 'joined' | 'written' | 'anything else';

export interface TableAccess {
  readonly table: string;
  readonly access: Access;
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isNode(inner) ? inner[name] : undefined), value);
const textAt = (value: unknown, ...path: string[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => textAt(value, 'String', 'sval') ?? '';

/** The column by which the rows of each table are distributed; a table that is not named belongs to the whole deployment. */
export type DistributionColumns = Readonly<Record<string, string>>;

/** How the statement reaches each table that is distributed, once for each time that it names one. */
export function accessesOf(parsed: ParseResult, columns: DistributionColumns): TableAccess[] {
  const ctes = new Set<string>();
  everyNode(parsed, (type, node) => {
    if (type === 'CommonTableExpr') ctes.add(String(node['ctename']));
  });
  const found: TableAccess[] = [];
  everyNode(parsed, (type, node) => {
    if (!/^(Select|Update|Delete|Insert)Stmt$/.test(type)) return;
    found.push(...statementAccesses(type, node, columns, ctes));
  });
  return found;
}

/** Calls back for every node below, with its type. */
function everyNode(value: unknown, visit: (type: string, node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) everyNode(item, visit);
  if (!isNode(value)) return;
  for (const [type, inner] of Object.entries(value)) {
    if (isNode(inner) && /^[A-Z]/.test(type)) visit(type, inner);
    everyNode(inner, visit);
  }
}

interface Relation {
  readonly table: string;
  readonly alias: string;
}

function statementAccesses(
  type: string,
  node: Node,
  columns: DistributionColumns,
  ctes: ReadonlySet<string>,
): TableAccess[] {
  const relations: Relation[] = [];
  const conditions: Condition[] = [];
  const addRelation = (range: unknown): void => {
    const table = textAt(range, 'relname') ?? '';
    if (columns[table] === undefined || ctes.has(table)) return;
    relations.push({ table, alias: textAt(range, 'alias', 'aliasname') ?? table });
  };
  const addFrom = (item: unknown): void => {
    if (isNode(at(item, 'RangeVar'))) addRelation(at(item, 'RangeVar'));
    const join = at(item, 'JoinExpr');
    if (!isNode(join)) return;
    const before = relations.length;
    addFrom(join['larg']);
    addFrom(join['rarg']);
    // `USING` says nothing of tables beside the join.
    for (const { alias } of relations.slice(before))
      for (const column of list(join['usingClause'])) conditions.push({ alias, column: text(column), by: 'joined' });
    conditions.push(...conditionsOf(join['quals']));
  };
  for (const item of [...list(node['fromClause']), ...list(node['usingClause'])]) addFrom(item);
  conditions.push(...conditionsOf(node['whereClause']));
  if (type === 'InsertStmt') return insertAccess(node, columns);
  if (type !== 'SelectStmt') addRelation(node['relation']);
  return relations.map(({ table, alias }) => ({ table, access: accessOf(columns[table] ?? '', alias, conditions) }));
}

/** A condition on a column: equal to a value, to one of several, or to another column. */
interface Condition {
  /** Absent: of whatever table in reach has such a column. */
  readonly alias?: string;
  readonly column: string;
  readonly by: Exclude<Access, 'written' | 'anything else'>;
}

function accessOf(column: string, alias: string, conditions: readonly Condition[]): Access {
  const of = conditions.filter((one) => one.column === column && (one.alias === undefined || one.alias === alias));
  for (const by of ['one account', 'accounts of a batch', 'joined'] as const)
    if (of.some((one) => one.by === by)) return by;
  return 'anything else';
}

/** Conditions that all rows meet: those that `AND` joins. */
function conditionsOf(qualifier: unknown): Condition[] {
  const boolean = at(qualifier, 'BoolExpr');
  if (isNode(boolean)) return boolean['boolop'] === 'AND_EXPR' ? list(boolean['args']).flatMap(conditionsOf) : [];
  const expression = at(qualifier, 'A_Expr');
  if (!isNode(expression) || list(expression['name']).map(text).join('') !== '=') return [];
  const [left, right] = [columnOf(expression['lexpr']), columnOf(expression['rexpr'])];
  if (expression['kind'] === 'AEXPR_OP_ANY')
    return left === undefined ? [] : [{ ...left, by: 'accounts of a batch' as const }];
  if (expression['kind'] !== 'AEXPR_OP') return [];
  if (left !== undefined && right !== undefined) return [left, right].map((one) => ({ ...one, by: 'joined' as const }));
  return [left, right].flatMap((one) => (one === undefined ? [] : [{ ...one, by: 'one account' as const }]));
}

function columnOf(expression: unknown): { readonly alias?: string; readonly column: string } | undefined {
  const fields = list(at(expression, 'ColumnRef', 'fields')).map(text);
  const column = fields.at(-1);
  if (column === undefined) return undefined;
  const alias = fields.at(-2);
  return alias === undefined ? { column } : { alias, column };
}

/** Rows are written where their account is; the key that tells whether one is there already must have it, too. */
function insertAccess(node: Node, columns: DistributionColumns): TableAccess[] {
  const table = textAt(node, 'relation', 'relname') ?? '';
  const column = columns[table];
  if (column === undefined) return [];
  const written = list(node['cols']).some((one) => at(one, 'ResTarget', 'name') === column);
  const conflict = node['onConflictClause'];
  const key = list(at(conflict, 'infer', 'indexElems'));
  const keyed = !isNode(conflict) || key.some((one) => at(one, 'IndexElem', 'name') === column);
  return [{ table, access: written && keyed ? 'written' : 'anything else' }];
}
