import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { isNumber, list } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';

const loadStatistics = lazy(() => import('simple-statistics'));

export const summarizeNumbers = defineTool({
  toolId: 'toolbox.numbers.summarize.v1',
  name: { en: 'Average, median and spread of numbers', zh: '平均数、中位数与离散程度' },
  description: {
    en: 'Quick summary of a list of numbers: average, median, mode, minimum, maximum, standard deviation and outliers beyond 1.5 interquartile ranges. Free.',
    zh: '快速汇总一组数字：平均数、中位数、众数、最小值、最大值、标准差以及超出 1.5 倍四分位距的异常值。免费。',
  },
  categories: ['mathematics'],
  capabilities: [{ id: 'math.describe', tags: ['average', 'mode', 'outliers', 'standard deviation'] }],
  parameters: {
    values: {
      schema: {
        type: 'array',
        items: { type: 'number', minimum: -1e15, maximum: 1e15 },
        minItems: 1,
        maxItems: 10_000,
      },
      en: 'The numbers.',
      zh: '数字列表。',
      required: true,
    },
  },
  sampleParameters: { values: [2, 4, 4, 4, 5, 5, 7, 90] },
  price: free,
  run: async (parameters) => {
    const statistics = await loadStatistics();
    const values = list(parameters, 'values', isNumber);
    const [low, high] = [statistics.quantile(values, 0.25), statistics.quantile(values, 0.75)];
    const reach = 1.5 * (high - low);
    return {
      n: values.length,
      sum: statistics.sum(values),
      average: statistics.mean(values),
      median: statistics.median(values),
      mode: statistics.mode(values),
      min: statistics.min(values),
      max: statistics.max(values),
      standard_deviation: values.length === 1 ? 0 : statistics.sampleStandardDeviation(values),
      outliers: values.filter((value) => value < low - reach || value > high + reach),
    };
  },
});
