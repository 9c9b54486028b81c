import type { RegExpEngine, RegExpLike } from 'ajv/dist/types/index.js';
import { RE2JS } from 're2js';

/**
 * The engine of `pattern` in tool schemas. It takes linear time: patterns come from providers and texts from callers, and
 * a backtracking engine would let a caller hold up the process with `(a+)+$`. Where a pattern is beyond RE2 (look-around,
 * back-references), nothing is refused: the provider checks it.
 */
function compilePattern(pattern: string): RegExpLike {
  const compiled = compiledOrUndefined(pattern);
  return {
    test: (text) => compiled?.test(text) ?? true,
    // Ajv takes two patterns for one where their texts are equal.
    toString: () => pattern,
  } as RegExpLike;
}

function compiledOrUndefined(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined;
  }
}

/** `code` only matters where Ajv writes modules, which it does not here. */
export const linearPattern: RegExpEngine = Object.assign(compilePattern, { code: 'linearPattern' });
