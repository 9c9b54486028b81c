import { defineTool } from '../../tool/define-tool.js';
import { text } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { loadValidator } from '../../tool/validator.js';

const brands = ['amex', 'dinersclub', 'discover', 'jcb', 'mastercard', 'unionpay', 'visa'] as const;

export const cardLuhn = defineTool({
  toolId: 'toolbox.card.check.v1',
  name: { en: 'Luhn check of a card number', zh: '卡号 Luhn 校验' },
  description: {
    en: 'Checks the number of a payment card by its brand pattern and the Luhn algorithm, for forms and test data. Free.',
    zh: '按卡组织规则与 Luhn 算法检查支付卡号，适用于表单与测试数据。免费。',
  },
  categories: ['validation', 'finance'],
  capabilities: [{ id: 'finance.check_card', tags: ['Luhn', 'mod 10', 'credit card'] }],
  parameters: {
    number: {
      schema: { type: 'string', minLength: 4, maxLength: 40, pattern: '^[0-9 -]+$' },
      en: 'Card number: digits, blanks and hyphens.',
      zh: '卡号：数字、空格与连字符。',
      required: true,
    },
  },
  sampleParameters: { number: '5555-5555-5555-4444' },
  price: free,
  run: async (parameters) => {
    const { isCreditCard } = await loadValidator();
    const number = text(parameters, 'number');
    const brand = brands.find((provider) => isCreditCard(number, { provider })) ?? null;
    return { passes: isCreditCard(number), brand };
  },
});
