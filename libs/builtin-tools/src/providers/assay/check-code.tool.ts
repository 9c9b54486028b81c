import type { VATCountryCode } from 'validator/lib/isVAT.js';
import { defineTool } from '../../tool/define-tool.js';
import { text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { inputError } from '../../tool/shared-parameters.js';
import { loadValidator } from '../../tool/validator.js';

const kinds = ['ean', 'issn', 'isin', 'imei', 'bic', 'vat', 'luhn'] as const;

export const checkCode = defineTool({
  toolId: 'assay.code.check.v1',
  name: { en: 'Check a product, security, device or tax code', zh: '商品、证券、设备与税号校验' },
  description: {
    en: 'Checks form and check digit of an EAN or GTIN barcode number, ISSN of a journal, ISIN of a security, IMEI of a phone, BIC (SWIFT) of a bank, VAT number of a country, or any Luhn number.',
    zh: '校验格式与校验位：EAN/GTIN 商品条码、期刊 ISSN、证券 ISIN、手机 IMEI、银行 BIC（SWIFT）、各国增值税号或任意 Luhn 号码。',
  },
  categories: ['validation', 'finance'],
  capabilities: [{ id: 'validation.check_code', tags: ['EAN', 'GTIN', 'ISIN', 'IMEI', 'SWIFT', 'VAT', 'check digit'] }],
  parameters: {
    kind: { schema: { type: 'string', enum: [...kinds] }, en: 'Kind of code.', zh: '编码种类。', required: true },
    code: {
      schema: { type: 'string', minLength: 2, maxLength: 40 },
      en: 'The code.',
      zh: '待校验的编码。',
      required: true,
    },
    country_code: {
      schema: { type: 'string', pattern: '^[A-Z]{2}$', default: 'DE' },
      en: 'Country of a VAT number, ISO 3166-1 alpha-2.',
      zh: '增值税号所属国家的两位代码。',
    },
  },
  sampleParameters: { kind: 'ean', code: '4006381333931' },
  price: perCall('0.15'),
  run: async (parameters) => {
    const validator = await loadValidator();
    const kind = text(parameters, 'kind');
    const code = text(parameters, 'code').trim();
    const compact = code.replace(/[\s-]/g, '');
    const checks: Readonly<Record<string, () => boolean>> = {
      ean: () => validator.isEAN(compact),
      issn: () => validator.isISSN(code),
      isin: () => validator.isISIN(compact),
      imei: () => validator.isIMEI(compact),
      bic: () => validator.isBIC(compact),
      vat: () => isVat(validator, compact, text(parameters, 'country_code', 'DE')),
      luhn: () => validator.isLuhnNumber(compact),
    };
    return { kind, code: compact, valid: checks[kind]?.() ?? false };
  },
});

function isVat(validator: Awaited<ReturnType<typeof loadValidator>>, code: string, country: string): boolean {
  try {
    // The library throws for a country that it does not know.
    return validator.isVAT(code, country as VATCountryCode);
  } catch (error) {
    throw inputError('There is no VAT rule for that "country_code"', error);
  }
}
