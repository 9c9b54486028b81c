import { checkCard } from '../providers/assay/check-card.tool.js';
import { checkEmail } from '../providers/assay/check-email.tool.js';
import { checkIban } from '../providers/assay/check-iban.tool.js';
import { cardLuhn } from '../providers/toolbox/card-luhn.tool.js';
import { emailSyntax } from '../providers/toolbox/email-syntax.tool.js';
import { ibanQuick } from '../providers/toolbox/iban-quick.tool.js';
import { candidate, defineCapability, parametersOf } from './define-capability.js';

const valid = { type: 'boolean', description: 'Can it be real? False is an answer and not a failure.' } as const;

export const checkCapabilities = [
  defineCapability({
    capabilityId: 'finance.check_iban',
    name: { en: 'Check an IBAN', zh: 'IBAN 校验' },
    description: { en: 'Tells whether a bank account number is well formed.', zh: '判断银行账号 IBAN 是否合规。' },
    parameters: checkIban,
    result: { valid },
    sampleParameters: { iban: 'FR14 2004 1010 0505 0001 3M02 606' },
    candidates: [
      candidate(checkIban),
      candidate(ibanQuick, {
        parameters: { account: { from: '$.iban' } },
        result: { valid: { from: '$.is_valid' }, iban: { from: '$.electronic' }, country_code: { from: '$.country' } },
      }),
    ],
  }),
  defineCapability({
    capabilityId: 'communication.check_email',
    name: { en: 'Check an e-mail address', zh: '电子邮件地址校验' },
    description: { en: 'Tells whether an e-mail address is well formed.', zh: '判断电子邮件地址是否合规。' },
    parameters: parametersOf(
      { email: { type: 'string', minLength: 1, maxLength: 400, description: 'Address alone, without a name.' } },
      ['email'],
    ),
    result: { valid },
    sampleParameters: { email: 'ada@example.com' },
    candidates: [
      candidate(checkEmail),
      candidate(emailSyntax, {
        parameters: { address: { from: '$.email' } },
        result: { valid: { from: '$.well_formed' }, domain: { from: '$.domain' } },
      }),
    ],
  }),
  defineCapability({
    capabilityId: 'finance.check_card',
    name: { en: 'Check a payment card number', zh: '支付卡号校验' },
    description: {
      en: 'Tells whether a card number has the length and check digit of its brand.',
      zh: '判断卡号的长度与校验位是否符合其卡组织规则。',
    },
    parameters: parametersOf(
      {
        card_number: {
          type: 'string',
          minLength: 4,
          maxLength: 40,
          pattern: '^[0-9 -]+$',
          description: 'Card number: digits, blanks and hyphens.',
        },
      },
      ['card_number'],
    ),
    result: { valid, brand: { type: ['string', 'null'], description: 'Brand, in the words of the tool.' } },
    sampleParameters: { card_number: '4111 1111 1111 1111' },
    candidates: [
      candidate(checkCard),
      candidate(cardLuhn, {
        parameters: { number: { from: '$.card_number' } },
        result: { valid: { from: '$.passes' }, brand: { from: '$.brand' } },
      }),
    ],
  }),
];
