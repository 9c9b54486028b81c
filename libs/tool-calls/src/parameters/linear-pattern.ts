import type { RegExpEngine, RegExpLike } from 'ajv/dist/types/index.js';
import { RE2JS } from 're2js';

/** Patterns that are kept compiled; all of them go when there are more. */
const MAX_COMPILED = 2_000;
const compiled = new Map<string, RE2JS | undefined>();

/**
 * The engine of `pattern` in tool schemas. It takes linear time: patterns come from providers and texts from callers, and
 * a backtracking engine would let a caller hold up the process with `(a+)+$`. Where a pattern is beyond RE2 (look-around,
 * back-references), nothing is refused: the provider checks it.
 */
function compilePattern(pattern: string): RegExpLike {
  const engine = compiledPattern(pattern);
  return {
    test: (text) => engine?.test(text) ?? true,
    // Ajv takes two patterns for one where their texts are equal.
    toString: () => pattern,
  } as RegExpLike;
}

/** Undefined where the pattern is beyond RE2. */
export function compiledPattern(pattern: string): RE2JS | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  let engine: RE2JS | undefined;
  try {
    engine = RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    engine = undefined;
  }
  compiled.set(pattern, engine);
  return engine;
}

/** `code` only matters where Ajv writes modules, which it does not here. */
export const linearPattern: RegExpEngine = Object.assign(compilePattern, { code: 'linearPattern' });
