/** How a month's revenue is reckoned from ledger entries; needs neither the service nor its database. */
export { RevenueBook, type Lines, type Period, type Revenue } from './domain/revenue-book.js';
export type { BookableEntry } from './domain/lot-movements.js';
export { lineNames, revenueJson } from './domain/revenue-json.js';
export { coinDecimals, decimal, monthOf, missingOf } from './domain/revenue-terms.js';
