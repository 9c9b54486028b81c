import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { optionalText } from '../../tool/parameters.js';
import { free } from '../../tool/prices.js';
import { countryCode } from '../../tool/shared-parameters.js';

const loadCountries = lazy(async () => {
  const [countries, zones] = await Promise.all([import('countries-list'), import('countries-and-timezones')]);
  const all = countries.getCountryDataList();
  const displayNames = ['en', 'zh'].map((locale) => new Intl.DisplayNames(locale, { type: 'region' }));
  const codeByName = new Map(
    all.flatMap((country) =>
      [country.iso3, country.name, country.native, ...displayNames.map((names) => names.of(country.iso2) ?? '')].map(
        (name) => [name.toLowerCase(), country.iso2] as const,
      ),
    ),
  );
  const byCode = new Map<string, (typeof all)[number]>(all.map((country) => [country.iso2, country]));
  return { ...countries, zones: zones.default, byCode, codeByName };
});

export const countryFacts = defineTool({
  toolId: 'atlas.country.facts.v1',
  name: { en: 'Facts about a country', zh: '国家概况' },
  description: {
    en: 'Tells capital, continent, currencies, languages, calling codes, ISO codes and time zones of a country, found by code or by name.',
    zh: '按代码或名称查询国家的首都、大洲、货币、语言、电话区号、ISO 代码与时区。',
  },
  categories: ['geography'],
  capabilities: [{ id: 'geo.country_facts', tags: ['capital', 'currency', 'calling code', 'continent'] }],
  parameters: {
    country_code: { schema: countryCode, en: 'ISO 3166-1 alpha-2 code.', zh: 'ISO 3166-1 两位国家代码。' },
    country_name: {
      schema: { type: 'string', minLength: 2, maxLength: 80 },
      en: 'Name in English, Chinese or its own language, or the three-letter code.',
      zh: '英文、中文或本地语言名称，或三位代码。',
    },
  },
  oneOfRequired: [['country_code', 'country_name']],
  sampleParameters: { country_name: 'Germany' },
  price: free,
  run: async (parameters) => {
    const { byCode, codeByName, continents, languages, zones } = await loadCountries();
    const name = optionalText(parameters, 'country_name')?.trim().toLowerCase() ?? '';
    const country = byCode.get(optionalText(parameters, 'country_code') ?? codeByName.get(name) ?? '');
    if (country === undefined) return null;
    return {
      country_code: country.iso2,
      alpha_3_code: country.iso3,
      name: country.name,
      native_name: country.native,
      capital: country.capital,
      continent: continents[country.continent],
      currencies: [...country.currency],
      languages: country.languages.map((code) => ({ code, name: languages[code].name })),
      calling_codes: country.phone.map((code) => `+${code}`),
      time_zones: (zones.getTimezonesForCountry(country.iso2) ?? []).map((zone) => zone.name),
    };
  },
});
