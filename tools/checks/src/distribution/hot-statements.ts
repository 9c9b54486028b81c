import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { workspaceRoot } from '../workspace.js';

/** A statement that the code prepares by name, because it runs for every call or every batch of them. */
export interface HotStatement {
  readonly name: string;
  readonly path: string;
  readonly sql: string;
}

/** Sources of a workspace folder that may hold statements. A rebuild is an operator's command. */
function sourcesOf(folder: string): string[] {
  return readdirSync(join(workspaceRoot, folder), { recursive: true })
    .map(String)
    .filter(
      (name) => name.endsWith('.ts') && !/\.spec\.ts$|(^|\/)(test-support|testing|migrations|rebuild)\//.test(name),
    )
    .map((name) => join(folder, name))
    .sort();
}

/** Every statement that has a name, in these folders. */
export const hotStatements = (folders: readonly string[]): HotStatement[] =>
  folders.flatMap(sourcesOf).flatMap((path) => [...statementsIn(path)]);

/** A statement that has no name in the code, by the constant that holds it. */
export const statementOf = (path: string, constant: string): HotStatement => ({
  name: constant.replace(/Sql$/, ''),
  path,
  sql: evaluate(definitionOf(constant, moduleOf(path)).expression, moduleOf(path), new Map()),
});

function* statementsIn(path: string): Generator<HotStatement> {
  const file = moduleOf(path);
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file.source);
  for (const object of found) {
    const name = valueOf(object, 'name');
    const text = valueOf(object, 'text');
    if (name === undefined || text === undefined || !ts.isStringLiteral(name)) continue;
    yield { name: name.text, path, sql: evaluate(text, file, new Map()) };
  }
}

const valueOf = (object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined =>
  object.properties.find(
    (property): property is ts.PropertyAssignment =>
      ts.isPropertyAssignment(property) && ts.isIdentifier(property.name) && property.name.text === name,
  )?.initializer;

const STAND_IN = 'every_other_column';

interface Module {
  readonly path: string;
  readonly source: ts.SourceFile;
}

const modules = new Map<string, Module>();
function moduleOf(path: string): Module {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(join(workspaceRoot, path), 'utf8');
  const loaded = { path, source: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) };
  modules.set(path, loaded);
  return loaded;
}

type Bound = ReadonlyMap<string, string>;

/** The text of an expression that is made of texts alone. @throws Error where it is made of anything else */
function evaluate(node: ts.Expression, file: Module, bound: Bound): string {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return evaluate(node.expression, file, bound);
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map((span) => evaluate(span.expression, file, bound) + span.literal.text);
    return node.head.text + parts.join('');
  }
  if (ts.isIdentifier(node)) {
    const given = bound.get(node.text);
    if (given !== undefined) return given;
    const { expression, home } = definitionOf(node.text, file);
    return evaluate(expression, home, new Map());
  }
  // Such parts choose between values of one column, and neither names a table.
  if (ts.isConditionalExpression(node)) return evaluate(node.whenTrue, file, bound);
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) return evaluateCall(node, file, bound);
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'join'
  )
    return standInFor(node.expression.expression, file, bound);
  throw new Error(`${file.path}: ${node.getText(file.source)} is no text that can be told without running it`);
}

/** A list of columns that only a running program knows is told by one that stands for all of them. */
function standInFor(joined: ts.Expression, file: Module, bound: Bound): string {
  const [mapper] = ts.isCallExpression(joined) ? joined.arguments : [];
  if (mapper === undefined || !ts.isArrowFunction(mapper) || ts.isBlock(mapper.body)) return STAND_IN;
  const [parameter] = mapper.parameters.map(({ name }) => name.getText(file.source));
  return evaluate(mapper.body, file, new Map([...bound, [parameter ?? '', STAND_IN]]));
}

function evaluateCall(node: ts.CallExpression, file: Module, bound: Bound): string {
  const { expression, home } = definitionOf(node.expression.getText(file.source), file);
  if (!ts.isArrowFunction(expression) || ts.isBlock(expression.body))
    throw new Error(`${home.path}: ${expression.getText(home.source).slice(0, 80)} is no expression of texts`);
  const parameters = expression.parameters.map((parameter, index): [string, string] => {
    const given = node.arguments[index];
    if (given !== undefined) return [parameter.name.getText(home.source), evaluate(given, file, bound)];
    if (parameter.initializer === undefined) throw new Error(`${file.path}: an argument is missing`);
    return [parameter.name.getText(home.source), evaluate(parameter.initializer, home, new Map())];
  });
  return evaluate(expression.body, home, new Map(parameters));
}

/** Where a name is defined as a constant: in the file itself, or in the file that it is imported from. */
function definitionOf(name: string, file: Module): { expression: ts.Expression; home: Module } {
  let found: ts.Expression | undefined;
  let imported: string | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText(file.source) === name) found ??= node.initializer;
    if (ts.isImportDeclaration(node) && node.importClause?.namedBindings !== undefined) {
      const { namedBindings } = node.importClause;
      if (ts.isNamedImports(namedBindings) && namedBindings.elements.some((element) => element.name.text === name))
        imported = (node.moduleSpecifier as ts.StringLiteral).text;
    }
    ts.forEachChild(node, visit);
  };
  visit(file.source);
  if (found !== undefined) return { expression: found, home: file };
  if (imported === undefined) throw new Error(`${file.path}: ${name} is defined nowhere`);
  return definitionOf(name, moduleOf(homeOf(imported, name, file)));
}

function homeOf(specifier: string, name: string, { path }: Module): string {
  if (specifier.startsWith('.')) return join(dirname(path), specifier.replace(/\.js$/, '.ts'));
  const [, lib] = /^@capability-router\/([\w-]+)$/.exec(specifier) ?? [];
  const home = sourcesOf(`libs/${lib}/src`).find((candidate) =>
    new RegExp(`export const ${name}\\b`).test(moduleOf(candidate).source.text),
  );
  if (home === undefined) throw new Error(`${path}: ${name} of ${specifier} was not found`);
  return home;
}
