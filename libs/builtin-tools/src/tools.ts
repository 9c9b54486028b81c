import { chineseCalendar } from './providers/almanac/chinese-calendar.tool.js';
import { convertTime } from './providers/almanac/convert-time.tool.js';
import { dateDifference } from './providers/almanac/date-difference.tool.js';
import { explainCron } from './providers/almanac/explain-cron.tool.js';
import { listHolidays } from './providers/almanac/list-holidays.tool.js';
import { moonPhase } from './providers/almanac/moon-phase.tool.js';
import { sunTimes } from './providers/almanac/sun-times.tool.js';
import { checkCard } from './providers/assay/check-card.tool.js';
import { checkCode } from './providers/assay/check-code.tool.js';
import { checkEmail } from './providers/assay/check-email.tool.js';
import { checkIban } from './providers/assay/check-iban.tool.js';
import { checkIsbn } from './providers/assay/check-isbn.tool.js';
import { countryFacts } from './providers/atlas/country-facts.tool.js';
import { currencyFacts } from './providers/atlas/currency-facts.tool.js';
import { geodesicDistance } from './providers/atlas/geodesic-distance.tool.js';
import { listCities } from './providers/atlas/list-cities.tool.js';
import { compareVersions } from './providers/forge/compare-versions.tool.js';
import { convertColor } from './providers/forge/convert-color.tool.js';
import { decodeJwt } from './providers/forge/decode-jwt.tool.js';
import { digest } from './providers/forge/digest.tool.js';
import { drawBarcode } from './providers/forge/draw-barcode.tool.js';
import { encodeText } from './providers/forge/encode-text.tool.js';
import { generateIds } from './providers/forge/generate-ids.tool.js';
import { inspectNetwork } from './providers/forge/inspect-network.tool.js';
import { jsonToXml } from './providers/forge/json-to-xml.tool.js';
import { jsonToYaml } from './providers/forge/json-to-yaml.tool.js';
import { matchRegex } from './providers/forge/match-regex.tool.js';
import { parseUrl } from './providers/forge/parse-url.tool.js';
import { queryJson } from './providers/forge/query-json.tool.js';
import { xmlToJson } from './providers/forge/xml-to-json.tool.js';
import { yamlToJson } from './providers/forge/yaml-to-json.tool.js';
import { convertUnit } from './providers/formula/convert-unit.tool.js';
import { describeStatistics } from './providers/formula/describe-statistics.tool.js';
import { evaluateExpression } from './providers/formula/evaluate-expression.tool.js';
import { fitLine } from './providers/formula/fit-line.tool.js';
import { checkPhone } from './providers/lingua/check-phone.tool.js';
import { detectLanguage } from './providers/lingua/detect-language.tool.js';
import { languageFacts } from './providers/lingua/language-facts.tool.js';
import { numberToWords } from './providers/lingua/number-to-words.tool.js';
import { pinyinText } from './providers/lingua/pinyin.tool.js';
import { readabilityScore } from './providers/lingua/readability-score.tool.js';
import { scoreSentiment } from './providers/lingua/score-sentiment.tool.js';
import { diffText } from './providers/scribe/diff-text.tool.js';
import { extractArticle } from './providers/scribe/extract-article.tool.js';
import { htmlToText } from './providers/scribe/html-to-text.tool.js';
import { markdownToHtml } from './providers/scribe/markdown-to-html.tool.js';
import { renderTemplate } from './providers/scribe/render-template.tool.js';
import { slugify } from './providers/scribe/slugify.tool.js';
import { cardLuhn } from './providers/toolbox/card-luhn.tool.js';
import { colorQuick } from './providers/toolbox/color-quick.tool.js';
import { cronNext } from './providers/toolbox/cron-next.tool.js';
import { csvToJson } from './providers/toolbox/csv-to-json.tool.js';
import { diffCharacters } from './providers/toolbox/diff-characters.tool.js';
import { emailSyntax } from './providers/toolbox/email-syntax.tool.js';
import { hashText } from './providers/toolbox/hash-text.tool.js';
import { haversineDistance } from './providers/toolbox/haversine-distance.tool.js';
import { ibanQuick } from './providers/toolbox/iban-quick.tool.js';
import { identifyLanguage } from './providers/toolbox/identify-language.tool.js';
import { jsonToCsv } from './providers/toolbox/json-to-csv.tool.js';
import { markdownHtml } from './providers/toolbox/markdown-html.tool.js';
import { qrSvg } from './providers/toolbox/qr-svg.tool.js';
import { selectJson } from './providers/toolbox/select-json.tool.js';
import { slugLatin } from './providers/toolbox/slug-latin.tool.js';
import { summarizeNumbers } from './providers/toolbox/summarize-numbers.tool.js';
import { sunEstimate } from './providers/toolbox/sun-estimate.tool.js';
import { yamlLoad } from './providers/toolbox/yaml-load.tool.js';
import type { BuiltinTool } from './tool/define-tool.js';

/** Every built-in tool. The libraries behind them are loaded by the first call, never by this list. */
export const allTools: readonly BuiltinTool[] = [
  evaluateExpression,
  convertUnit,
  describeStatistics,
  fitLine,
  convertTime,
  dateDifference,
  listHolidays,
  chineseCalendar,
  explainCron,
  moonPhase,
  sunTimes,
  countryFacts,
  listCities,
  geodesicDistance,
  currencyFacts,
  detectLanguage,
  scoreSentiment,
  checkPhone,
  languageFacts,
  numberToWords,
  pinyinText,
  readabilityScore,
  csvToJson,
  jsonToCsv,
  qrSvg,
  identifyLanguage,
  haversineDistance,
  cardLuhn,
  colorQuick,
  cronNext,
  diffCharacters,
  emailSyntax,
  hashText,
  ibanQuick,
  markdownHtml,
  selectJson,
  slugLatin,
  summarizeNumbers,
  sunEstimate,
  yamlLoad,
  diffText,
  extractArticle,
  htmlToText,
  markdownToHtml,
  renderTemplate,
  slugify,
  checkCard,
  checkCode,
  checkEmail,
  checkIban,
  checkIsbn,
  compareVersions,
  convertColor,
  decodeJwt,
  digest,
  drawBarcode,
  encodeText,
  generateIds,
  inspectNetwork,
  jsonToXml,
  jsonToYaml,
  matchRegex,
  parseUrl,
  queryJson,
  xmlToJson,
  yamlToJson,
];
