export { detailOf } from './parameters/ajv-details.js';
export { ParameterValidator } from './parameters/parameter-validator.js';
export { previewInput } from './parameters/preview-input.js';
export { billResult, notCharged, upperBound, type PricedCall } from './pricing/price-call.js';
export { quotePrice, type PriceQuote } from './pricing/quote-price.js';
export { rowsAt } from './pricing/result-rows.js';
