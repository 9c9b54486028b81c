import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';

const loadCards = lazy(async () => (await import('card-validator')).default);

export const checkCard = defineTool({
  toolId: 'assay.card.check.v1',
  name: { en: 'Check a payment card number', zh: '支付卡号校验' },
  description: {
    en: 'Tells whether a credit or debit card number can be real: brand by its first digits (Visa, Mastercard, UnionPay, JCB…), length and Luhn check digit; gives only the last four digits back. Nothing is charged, stored or asked of a bank.',
    zh: '判断信用卡或借记卡号是否可能有效：按卡号前缀识别卡组织（Visa、Mastercard、银联、JCB 等），检查长度与 Luhn 校验位，仅返回末四位。不扣款、不存储、不询问银行。',
  },
  categories: ['validation', 'finance'],
  capabilities: [{ id: 'finance.check_card', tags: ['credit card', 'Luhn', 'Visa', 'Mastercard', '银联', 'checkout'] }],
  parameters: {
    card_number: {
      schema: { type: 'string', minLength: 4, maxLength: 40 },
      en: 'Card number, with or without blanks and hyphens.',
      zh: '卡号，可含空格或连字符。',
      required: true,
    },
  },
  sampleParameters: { card_number: '4111 1111 1111 1111' },
  price: perCall('0.2'),
  run: async (parameters) => {
    const { number } = await loadCards();
    const digits = text(parameters, 'card_number').replace(/[\s-]/g, '');
    const { isValid, isPotentiallyValid, card } = number(digits, { luhnValidateUnionPay: true });
    return {
      valid: isValid,
      incomplete: !isValid && isPotentiallyValid && digits.length < Math.min(...(card?.lengths ?? [0])),
      brand: card?.type ?? null,
      brand_name: card?.niceType ?? null,
      allowed_lengths: card?.lengths ?? [],
      security_code_digits: card?.code.size ?? null,
      last_four: isValid ? digits.slice(-4) : null,
    };
  },
});
