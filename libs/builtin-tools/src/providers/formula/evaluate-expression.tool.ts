import type { JsonValue } from '@capability-router/kernel';
import { defineTool } from '../../tool/define-tool.js';
import { isNumber, number, object, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';
import { createScope, loadMath } from './math.js';

/** Elements of a matrix that are returned as JSON; a larger one is returned as text alone. */
const MAX_MATRIX_ELEMENTS = 10_000;
/** Characters. */
const MAX_TEXT_LENGTH = 100_000;

export const evaluateExpression = defineTool({
  toolId: 'formula.expression.evaluate.v1',
  name: { en: 'Evaluate a mathematical expression', zh: '计算数学表达式' },
  description: {
    en: 'Calculates an arithmetic or algebraic expression: functions, powers, matrices, complex numbers, units and variables, for example "sqrt(3^2 + 4^2)" or "x * 1.19".',
    zh: '计算算术或代数表达式，支持函数、乘方、矩阵、复数、单位与变量，例如 "sqrt(3^2 + 4^2)" 或 "x * 1.19"。',
  },
  categories: ['mathematics'],
  capabilities: [{ id: 'math.evaluate', tags: ['calculator', 'arithmetic', 'algebra'] }],
  parameters: {
    expression: {
      schema: { type: 'string', minLength: 1, maxLength: 1_000 },
      en: 'Expression in the usual notation.',
      zh: '以常用记法书写的表达式。',
      required: true,
    },
    variables: {
      schema: {
        type: 'object',
        propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]{0,31}$' },
        additionalProperties: { type: 'number' },
        maxProperties: 50,
      },
      en: 'Values of the variables in the expression, by name.',
      zh: '表达式中各变量的取值，以名称为键。',
    },
    significant_digits: {
      schema: { type: 'integer', minimum: 1, maximum: 16, default: 14 },
      en: 'Significant digits of the textual result.',
      zh: '文本结果的有效位数。',
    },
  },
  sampleParameters: { expression: 'sqrt(a^2 + b^2)', variables: { a: 3, b: 4 } },
  price: perCall('0.5'),
  timeoutMs: 5_000,
  // One small expression can ask for a list of any length.
  run: async (parameters) => {
    const math = await loadMath();
    const variables = Object.entries(object(parameters, 'variables'));
    const numbers = variables.flatMap(([name, value]) => (isNumber(value) ? [[name, value] as const] : []));
    let result: unknown;
    try {
      result = lastOf(math.evaluate(text(parameters, 'expression'), createScope(Object.fromEntries(numbers))));
    } catch (error) {
      throw inputError('The expression cannot be evaluated', error);
    }
    const type = math.typeOf(result);
    if (result === undefined || type === 'function') throw new ToolInputError('The expression has no value.');
    const formatted = math.format(result, { precision: number(parameters, 'significant_digits', 14) });
    const value = toJson(result);
    return { ...(value === undefined ? {} : { value }), text: formatted.slice(0, MAX_TEXT_LENGTH), type };
  },
});

/** Several statements give a result set; its last entry is the value. */
function lastOf(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('entries' in result)) return result;
  return Array.isArray(result.entries) ? result.entries.at(-1) : result;
}

/** Numbers, booleans, strings and matrices of numbers; everything else has its text alone. */
function toJson(result: unknown): JsonValue | undefined {
  if (typeof result === 'boolean' || typeof result === 'string') return result;
  if (typeof result === 'number') return Number.isFinite(result) ? result : undefined;
  if (typeof result !== 'object' || result === null || !('toArray' in result)) return undefined;
  const rows = typeof result.toArray === 'function' ? (result as { toArray(): unknown }).toArray() : undefined;
  const isNumeric = (item: unknown): boolean => typeof item === 'number' && Number.isFinite(item);
  if (!Array.isArray(rows)) return undefined;
  const flat: unknown[] = rows.flat(3);
  return flat.length <= MAX_MATRIX_ELEMENTS && flat.every(isNumeric) ? (rows as JsonValue) : undefined;
}
