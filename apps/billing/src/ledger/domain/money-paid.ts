import type { JsonObject } from '@capability-router/kernel';

/** The money that was paid for the credits of a grant. */
export interface MoneyPaid {
  /** A decimal number above 0, as it was told: exact, in whole units of the currency. */
  readonly paidAmount: string;
  /** Three capital letters, as in ISO 4217. */
  readonly paidCurrency: string;
}

/** The names under which the metadata of an entry holds it, so that the chain of the ledger covers it. */
export const paidAmountKey = 'paid_amount';
export const paidCurrencyKey = 'paid_currency';

export const metadataOfPaid = ({ paidAmount, paidCurrency }: MoneyPaid): JsonObject => ({
  [paidAmountKey]: paidAmount,
  [paidCurrencyKey]: paidCurrency,
});

/** The money paid by the metadata of an entry; undefined where none was told. */
export function paidOf(metadata: JsonObject): MoneyPaid | undefined {
  const { [paidAmountKey]: paidAmount, [paidCurrencyKey]: paidCurrency } = metadata;
  return typeof paidAmount === 'string' && typeof paidCurrency === 'string' ? { paidAmount, paidCurrency } : undefined;
}
