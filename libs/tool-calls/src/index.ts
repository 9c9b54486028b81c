export { checkParametersSchema } from './documents/check-parameters-schema.js';
export { scanDocument } from './documents/scan-document.js';
export { detailOf } from './parameters/ajv-details.js';
export { hasAtMost, ParameterValidator, type CheckedTool } from './parameters/parameter-validator.js';
export { previewInput } from './parameters/preview-input.js';
export { publishedNames, recordedPath, type PublishedNames } from './parameters/recorded-path.js';
export { callLimitOf, type CallLimit } from './pricing/call-limit.js';
export {
  billResult,
  dearestCall,
  notCharged,
  startingPrice,
  upperBound,
  type BilledResult,
  type PricedCall,
} from './pricing/price-call.js';
export { quotePrice, type PriceQuote } from './pricing/quote-price.js';
export { isMeasurable, measuredUnits } from './pricing/units.js';
export { rowsAt } from './pricing/value-at.js';
export { plural } from './pricing/words.js';
export { inferSchema } from './results/content-schema.js';
export { regionAllows, regionListsOf, type RegionLists } from './regions/region-rules.js';
