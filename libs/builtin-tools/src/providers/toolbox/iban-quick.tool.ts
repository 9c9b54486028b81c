import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';

const loadIban = lazy(async () => (await import('iban')).default);

export const ibanQuick = defineTool({
  toolId: 'toolbox.iban.check.v1',
  name: { en: 'Quick IBAN check', zh: 'IBAN 快速校验' },
  description: {
    en: 'Tells whether an IBAN has the right length, pattern and check digits for its country, and writes it in groups of four. Cheap: one yes or no.',
    zh: '判断 IBAN 的长度、格式与校验位是否符合所属国家规则，并按四位分组书写。价格低廉，只答是或否。',
  },
  categories: ['validation', 'finance'],
  capabilities: [{ id: 'finance.check_iban', tags: ['bank account', 'validate'] }],
  parameters: {
    account: {
      schema: { type: 'string', minLength: 4, maxLength: 60 },
      en: 'IBAN, with or without blanks.',
      zh: 'IBAN，可含空格。',
      required: true,
    },
  },
  sampleParameters: { account: 'GB82 WEST 1234 5698 7654 32' },
  price: perCall('0.1'),
  run: async (parameters) => {
    const iban = await loadIban();
    const account = text(parameters, 'account');
    if (!iban.isValid(account)) return { is_valid: false };
    const electronic = iban.electronicFormat(account);
    return { is_valid: true, electronic, printed: iban.printFormat(electronic), country: electronic.slice(0, 2) };
  },
});
