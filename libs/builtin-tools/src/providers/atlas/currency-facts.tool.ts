import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { optionalText } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { countryCode } from '../../tool/shared-parameters.js';

const loadCurrencies = lazy(async () => {
  const [codes, { getCountryDataList }] = await Promise.all([import('currency-codes'), import('countries-list')]);
  const byCountry = new Map<string, readonly string[]>(getCountryDataList().map((c) => [c.iso2, c.currency]));
  return { currencies: codes.default, byCountry };
});

export const currencyFacts = defineTool({
  toolId: 'atlas.currency.facts.v1',
  name: { en: 'Currency codes and facts', zh: '货币代码与信息查询' },
  description: {
    en: 'Looks up currencies by ISO 4217 code, number or country: name, symbol, decimal places and where the money is used. No exchange rates.',
    zh: '按 ISO 4217 代码、数字代码或国家查询货币：名称、符号、小数位数及使用国家。不含汇率。',
  },
  categories: ['geography', 'finance'],
  capabilities: [{ id: 'finance.currency_facts', tags: ['iso 4217', 'money', 'currency symbol', 'minor units'] }],
  parameters: {
    currency_code: {
      schema: { type: 'string', pattern: '^([A-Z]{3}|[0-9]{3})$', examples: ['EUR', '978'] },
      en: 'ISO 4217 code of three letters or three digits.',
      zh: 'ISO 4217 三位字母或数字代码。',
    },
    country_code: {
      schema: countryCode,
      en: 'ISO 3166-1 alpha-2 code: the currencies of that country.',
      zh: 'ISO 3166-1 两位国家代码：查询该国货币。',
    },
  },
  oneOfRequired: [['currency_code', 'country_code']],
  sampleParameters: { currency_code: 'JPY' },
  price: free,
  run: async (parameters) => {
    const { currencies, byCountry } = await loadCurrencies();
    const wanted = optionalText(parameters, 'currency_code');
    const codes =
      wanted === undefined ? (byCountry.get(optionalText(parameters, 'country_code') ?? '') ?? []) : [wanted];
    const rows = codes.flatMap((code) => {
      const found = currencies.code(code) ?? currencies.number(code);
      if (found === undefined) return [];
      return [
        {
          code: found.code,
          number: found.number,
          name: nameIn('en', found.code),
          name_zh: nameIn('zh', found.code),
          symbol: symbolOf(found.code),
          decimal_places: found.digits,
          countries: found.countries,
        },
      ];
    });
    return { rows };
  },
});

const nameIn = (locale: string, code: string): string =>
  new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code;

function symbolOf(currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
}
