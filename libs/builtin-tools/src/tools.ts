import { convertTime } from './providers/almanac/convert-time.tool.js';
import { dateDifference } from './providers/almanac/date-difference.tool.js';
import { listHolidays } from './providers/almanac/list-holidays.tool.js';
import { countryFacts } from './providers/atlas/country-facts.tool.js';
import { geodesicDistance } from './providers/atlas/geodesic-distance.tool.js';
import { listCities } from './providers/atlas/list-cities.tool.js';
import { convertUnit } from './providers/formula/convert-unit.tool.js';
import { describeStatistics } from './providers/formula/describe-statistics.tool.js';
import { evaluateExpression } from './providers/formula/evaluate-expression.tool.js';
import { checkPhone } from './providers/lingua/check-phone.tool.js';
import { detectLanguage } from './providers/lingua/detect-language.tool.js';
import { scoreSentiment } from './providers/lingua/score-sentiment.tool.js';
import { csvToJson } from './providers/toolbox/csv-to-json.tool.js';
import { haversineDistance } from './providers/toolbox/haversine-distance.tool.js';
import { identifyLanguage } from './providers/toolbox/identify-language.tool.js';
import { jsonToCsv } from './providers/toolbox/json-to-csv.tool.js';
import { qrSvg } from './providers/toolbox/qr-svg.tool.js';
import type { BuiltinTool } from './tool/define-tool.js';

/** Every built-in tool. The libraries behind them are loaded by the first call, never by this list. */
export const allTools: readonly BuiltinTool[] = [
  evaluateExpression,
  convertUnit,
  describeStatistics,
  convertTime,
  dateDifference,
  listHolidays,
  countryFacts,
  listCities,
  geodesicDistance,
  detectLanguage,
  scoreSentiment,
  checkPhone,
  csvToJson,
  jsonToCsv,
  qrSvg,
  identifyLanguage,
  haversineDistance,
];
