import type { Bill, PriceRule } from '@capability-router/contracts';
import { formatCredits, ZERO_CREDITS, type Credits } from '@capability-router/kernel';

/** The charge of one search, as its event tells it to billing. */
export interface SearchBill {
  readonly priceRule: PriceRule;
  /** Decimal string of micro-credits. */
  readonly holdMicroCredits: string;
  readonly bill: Bill;
}

/** The charge of a search: its price where something was found, nothing where not. */
export const chargeOf = (price: Credits, resultCount: number): Credits => (resultCount > 0 ? price : ZERO_CREDITS);

export function searchBill(price: Credits, resultCount: number): SearchBill {
  const priceRule: PriceRule = {
    metering: { kind: 'call' },
    amountMicroCredits: price.toString(),
    unitLabel: 'call',
  };
  return { priceRule, holdMicroCredits: price.toString(), bill: billOf(price, chargeOf(price, resultCount)) };
}

function billOf(price: Credits, charge: Credits): Bill {
  if (charge === 0n) {
    return { summary: 'Nothing was found: not charged', listAmountMicroCredits: '0', chargeLines: [] };
  }
  return {
    summary: `1 search × ${formatCredits(price)} credits = ${formatCredits(charge)} credits`,
    listAmountMicroCredits: charge.toString(),
    chargeLines: [
      {
        componentKey: 'search',
        description: `${formatCredits(price)} credits per search`,
        quantity: 1,
        unitLabel: 'search',
        amountMicroCredits: charge.toString(),
      },
    ],
  };
}
