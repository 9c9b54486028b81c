import { defineTool } from '../../tool/define-tool.js';
import { number, text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';
import { loadMath } from './math.js';

const unit = { type: 'string', minLength: 1, maxLength: 50, pattern: '^[A-Za-z][A-Za-z0-9 */^.-]*$' } as const;

/** Digits that a double holds for certain: hides the noise of binary fractions. */
const SIGNIFICANT_DIGITS = 14;

export const convertUnit = defineTool({
  toolId: 'formula.unit.convert.v1',
  name: { en: 'Convert units of measurement', zh: '单位换算' },
  description: {
    en: 'Converts a quantity between units of length, mass, volume, time, speed, temperature, energy, power, pressure or data, for example miles to kilometres or degF to degC.',
    zh: '在长度、质量、体积、时间、速度、温度、能量、功率、压力或数据等单位之间换算，例如英里换算为千米、华氏度换算为摄氏度。',
  },
  categories: ['mathematics'],
  capabilities: [{ id: 'math.convert_unit', tags: ['measurement', 'metric', 'imperial'] }],
  parameters: {
    value: {
      schema: { type: 'number', minimum: -1e15, maximum: 1e15 },
      en: 'Quantity in the unit of from_unit.',
      zh: '以 from_unit 为单位的数值。',
      required: true,
    },
    from_unit: {
      schema: unit,
      en: 'Unit of the quantity, such as "mile", "kg" or "m/s".',
      zh: '原单位，如 "mile"、"kg" 或 "m/s"。',
      required: true,
    },
    to_unit: {
      schema: unit,
      en: 'Wanted unit, such as "km", "lb" or "km/h".',
      zh: '目标单位，如 "km"、"lb" 或 "km/h"。',
      required: true,
    },
  },
  sampleParameters: { value: 5, from_unit: 'mile', to_unit: 'km' },
  price: free,
  timeoutMs: 5_000,
  run: async (parameters) => {
    const math = await loadMath();
    const toUnit = text(parameters, 'to_unit');
    try {
      const converted = math.unit(number(parameters, 'value'), text(parameters, 'from_unit')).toNumber(toUnit);
      const value = Number(converted.toPrecision(SIGNIFICANT_DIGITS));
      return { value, unit: toUnit, text: `${value} ${toUnit}` };
    } catch (error) {
      throw inputError('The units cannot be converted', error);
    }
  },
});
