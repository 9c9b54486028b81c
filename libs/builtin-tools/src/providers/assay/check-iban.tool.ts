import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';

const loadIbanTools = lazy(() => import('ibantools'));

/** The faults of an IBAN, by the library's number of each. */
const faults = [
  'missing',
  'unknown_country',
  'wrong_length',
  'wrong_format',
  'check_digits_not_numeric',
  'wrong_check_digits',
  'wrong_bank_or_account_check_digits',
  'qr_iban_not_allowed',
] as const;

export const checkIban = defineTool({
  toolId: 'assay.iban.check.v1',
  name: { en: 'Check an IBAN bank account number', zh: 'IBAN 银行账号校验' },
  description: {
    en: 'Validates an IBAN: country, length, format, check digits and the national checksums, says what is wrong, and splits it into bank code and account number; also whether the country is in SEPA.',
    zh: '校验 IBAN：国家、长度、格式、校验位及各国内部校验，指出错误所在，拆分银行代码与账号，并判断是否属于 SEPA 区域。',
  },
  categories: ['validation', 'finance'],
  capabilities: [{ id: 'finance.check_iban', tags: ['bank account', 'payment', 'SEPA', 'transfer', 'checksum'] }],
  parameters: {
    iban: {
      schema: { type: 'string', minLength: 4, maxLength: 60 },
      en: 'IBAN as people write it, with or without blanks.',
      zh: '按日常写法书写的 IBAN，可含空格。',
      required: true,
    },
  },
  sampleParameters: { iban: 'DE89 3704 0044 0532 0130 00' },
  price: perCall('0.5'),
  run: async (parameters) => {
    const tools = await loadIbanTools();
    const iban = tools.electronicFormatIBAN(text(parameters, 'iban')) ?? '';
    const { valid, errorCodes } = tools.validateIBAN(iban);
    if (!valid) return { valid, errors: errorCodes.map((code) => faults[code]) };
    const { countryCode, bban, bankIdentifier, branchIdentifier, accountNumber } = tools.extractIBAN(iban);
    return {
      valid,
      iban,
      formatted: tools.friendlyFormatIBAN(iban),
      country_code: countryCode ?? null,
      bban: bban ?? null,
      bank_code: bankIdentifier ?? null,
      branch_code: branchIdentifier ?? null,
      account_number: accountNumber ?? null,
      sepa: tools.isSEPACountry(countryCode ?? ''),
    };
  },
});
