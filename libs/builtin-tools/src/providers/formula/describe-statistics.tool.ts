import { defineTool } from '../../tool/define-tool.js';
import { isNumber, list } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { loadMath } from './math.js';

export const describeStatistics = defineTool({
  toolId: 'formula.statistics.describe.v1',
  name: { en: 'Descriptive statistics', zh: '描述性统计' },
  description: {
    en: 'Summarises a list of numbers: count, sum, mean, median, quartiles, minimum, maximum, sample variance and standard deviation.',
    zh: '汇总一组数字：个数、总和、均值、中位数、四分位数、最小值、最大值、样本方差与标准差。',
  },
  categories: ['mathematics'],
  capabilities: [{ id: 'math.describe', tags: ['statistics', 'average', 'median'] }],
  parameters: {
    numbers: {
      schema: {
        type: 'array',
        items: { type: 'number', minimum: -1e15, maximum: 1e15 },
        minItems: 1,
        maxItems: 10_000,
      },
      en: 'The numbers to summarise.',
      zh: '要汇总的数字。',
      required: true,
    },
  },
  sampleParameters: { numbers: [2, 4, 4, 4, 5, 5, 7, 9] },
  price: perCall('0.25'),
  timeoutMs: 5_000,
  run: async (parameters) => {
    const math = await loadMath();
    const numbers = list(parameters, 'numbers', isNumber);
    // Sorted here: the library's way of finding a quantile takes quadratic time over equal numbers.
    const sorted = Array.from(Float64Array.from(numbers).sort());
    const quantile = (share: number) => Number(math.quantileSeq(sorted, share, true));
    const variance = numbers.length === 1 ? 0 : Number(math.variance(numbers));
    return {
      count: numbers.length,
      sum: math.sum(numbers),
      mean: math.mean(numbers),
      median: quantile(0.5),
      lower_quartile: quantile(0.25),
      upper_quartile: quantile(0.75),
      minimum: math.min(numbers),
      maximum: math.max(numbers),
      sample_variance: variance,
      sample_standard_deviation: Math.sqrt(variance),
    };
  },
});
