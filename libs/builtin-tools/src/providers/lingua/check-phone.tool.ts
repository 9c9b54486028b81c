import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { optionalText, text } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { countryCode } from '../../tool/shared-parameters.js';
import { ToolInputError } from '../../tool/tool-input-error.js';

const loadPhones = lazy(() => import('libphonenumber-js/max'));

export const checkPhone = defineTool({
  toolId: 'lingua.phone.check.v1',
  name: { en: 'Check and format a phone number', zh: '电话号码校验与格式化' },
  description: {
    en: 'Validates a phone number of any country and returns its country, kind of line and the E.164, international and national formats.',
    zh: '校验任意国家的电话号码，返回所属国家、线路类型以及 E.164、国际与国内格式。',
  },
  categories: ['communication'],
  capabilities: [{ id: 'phone.check', tags: ['validate', 'e164', 'mobile', 'telephone'] }],
  parameters: {
    phone_number: {
      schema: { type: 'string', minLength: 2, maxLength: 40 },
      en: 'Phone number as people write it.',
      zh: '按日常写法书写的电话号码。',
      required: true,
    },
    country_code: {
      schema: countryCode,
      en: 'Country of a number without a leading "+".',
      zh: '号码不以 "+" 开头时所属的国家代码。',
    },
  },
  sampleParameters: { phone_number: '030 901820', country_code: 'DE' },
  price: perCall('1'),
  run: async (parameters) => {
    const { isSupportedCountry, parsePhoneNumberWithError, ParseError } = await loadPhones();
    const country = optionalText(parameters, 'country_code');
    if (country !== undefined && !isSupportedCountry(country)) {
      throw new ToolInputError(`There is no numbering plan for country "${country}".`);
    }
    try {
      const phone = parsePhoneNumberWithError(text(parameters, 'phone_number'), country);
      return {
        valid: phone.isValid(),
        possible: phone.isPossible(),
        e164: phone.number,
        international: phone.formatInternational(),
        national: phone.formatNational(),
        calling_code: `+${phone.countryCallingCode}`,
        country_code: phone.country ?? null,
        line_type: phone.getType()?.toLowerCase() ?? null,
      };
    } catch (error) {
      // That a text is no phone number is an answer: the caller asked.
      if (error instanceof ParseError) return { valid: false, possible: false, reason: error.message.toLowerCase() };
      throw error;
    }
  },
});
