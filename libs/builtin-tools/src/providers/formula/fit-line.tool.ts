import type { JsonValue } from '@capability-router/kernel';
import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { isNumber, list, optionalNumber } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadStatistics = lazy(() => import('simple-statistics'));

const numbers = {
  type: 'array',
  items: { type: 'number', minimum: -1e12, maximum: 1e12 },
  minItems: 2,
  maxItems: 10_000,
} satisfies Record<string, JsonValue>;

/** Digits that a double holds for certain. */
const significant = (value: number): number => Number(value.toPrecision(12));

export const fitLine = defineTool({
  toolId: 'formula.regression.fit.v1',
  name: { en: 'Linear regression and correlation', zh: '线性回归与相关分析' },
  description: {
    en: 'Fits a straight line through pairs of numbers by least squares: slope, intercept, correlation and R², and a forecast for another x. For trends and relationships in data.',
    zh: '用最小二乘法对成对数据拟合直线：斜率、截距、相关系数与 R²，并可对新的 x 作预测，用于分析趋势与关系。',
  },
  categories: ['mathematics'],
  capabilities: [{ id: 'math.linear_regression', tags: ['trend line', 'forecast', 'correlation', 'least squares'] }],
  parameters: {
    x: { schema: numbers, en: 'The x values.', zh: '自变量 x 的取值。', required: true },
    y: { schema: numbers, en: 'The y values, as many as x.', zh: '因变量 y 的取值，个数与 x 相同。', required: true },
    predict_x: {
      schema: { type: 'number', minimum: -1e12, maximum: 1e12 },
      en: 'Another x whose y is to be forecast.',
      zh: '需要预测 y 值的新 x。',
    },
  },
  sampleParameters: { x: [1, 2, 3, 4, 5], y: [3, 5, 7, 9, 11], predict_x: 10 },
  price: perCall('0.4'),
  run: async (parameters) => {
    const statistics = await loadStatistics();
    const x = list(parameters, 'x', isNumber);
    const y = list(parameters, 'y', isNumber);
    if (x.length !== y.length) {
      throw new ToolInputError(`"x" has ${x.length} values and "y" has ${y.length}. Give as many of both.`);
    }
    if (x.every((value) => value === x[0])) {
      throw new ToolInputError(
        'All values of "x" are the same: no line can be fitted. Give at least two different ones.',
      );
    }
    const fit = statistics.linearRegression(x.map((value, index) => [value, y[index] ?? 0]));
    const level = y.every((value) => value === y[0]);
    const correlation = level ? null : significant(statistics.sampleCorrelation(x, y));
    const predictX = optionalNumber(parameters, 'predict_x');
    return {
      count: x.length,
      slope: significant(fit.m),
      intercept: significant(fit.b),
      correlation,
      r_squared: correlation === null ? null : significant(correlation ** 2),
      ...(predictX === undefined ? {} : { predicted_y: significant(fit.m * predictX + fit.b) }),
    };
  },
});
