import { creditsFromNumber } from '@capability-router/kernel';
import { ValidateBy } from 'class-validator';

/** A number of credits, zero or more, with at most six decimals. */
export const CreditNumber = (maxCredits: number): PropertyDecorator =>
  ValidateBy({
    name: 'creditNumber',
    constraints: [maxCredits],
    validator: {
      validate: (value: unknown) => typeof value === 'number' && value >= 0 && value <= maxCredits && isExact(value),
      defaultMessage: () => `$property must be a number from 0 to ${maxCredits} with at most six decimals`,
    },
  });

function isExact(value: number): boolean {
  try {
    creditsFromNumber(value);
    return true;
  } catch {
    return false;
  }
}
