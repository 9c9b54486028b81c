import type { MathJsInstance } from 'mathjs';
import { lazy } from '../../tool/operation.js';

/**
 * Functions that reach the parser, the compiler, the configuration or the function table again, or that change them for
 * the next caller. Everything else of mathjs is pure.
 */
const disabledFunctions = [
  'chain',
  'compile',
  'config',
  'createUnit',
  'derivative',
  'evaluate',
  'help',
  'import',
  'leafCount',
  'parse',
  'parser',
  'rationalize',
  'replacer',
  'resolve',
  'reviver',
  'simplify',
  'simplifyConstant',
  'simplifyCore',
  'symbolicEqual',
  'typed',
] as const;

export const loadMath = lazy(async (): Promise<MathJsInstance> => {
  const { default: bundle } = await import('mathjs/lib/browser/math.js');
  return bundle.create(bundle.all ?? {});
});

/**
 * A fresh scope for one expression. A name in the scope wins over the function of that name, so the disabled ones are
 * shadowed there; overriding them in mathjs itself would break the functions that are built on them.
 */
export function createScope(variables: Readonly<Record<string, number>>): Map<string, unknown> {
  const shadows = disabledFunctions.map((name) => {
    const refuse = (): never => {
      throw new Error(`Function ${name} is not available`);
    };
    return [name, refuse] as const;
  });
  return new Map<string, unknown>([...shadows, ...Object.entries(variables)]);
}
