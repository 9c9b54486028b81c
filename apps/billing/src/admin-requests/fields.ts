import { creditsFromNumber, type Credits } from '@capability-router/kernel';
import { OneLine } from '@capability-router/service-kit';
import { applyDecorators } from '@nestjs/common';
import { IsISO4217CurrencyCode, IsString, Matches, MaxLength, MinLength, ValidateBy } from 'class-validator';

/** Credits of one command. */
export const MAX_COMMAND_CREDITS = 1_000_000_000;
/** Characters. */
const MAX_NOTE_LENGTH = 500;
const MAX_REFERENCE_LENGTH = 128;

/** The amount of a number that `CreditAmount` has let through. */
export const creditsOf = (amount: number): Credits => creditsFromNumber(amount);

export const optionalCreditsOf = (amount: number | null | undefined): Credits | undefined =>
  amount === null || amount === undefined ? undefined : creditsOf(amount);

/** A number of credits other than 0, with at most six decimals: above 0, or of either sign. */
export const CreditAmount = (options: { readonly signed?: true } = {}): PropertyDecorator =>
  ValidateBy({
    name: 'creditAmount',
    constraints: [
      options.signed === true
        ? { minimum: -MAX_COMMAND_CREDITS, maximum: MAX_COMMAND_CREDITS }
        : { exclusiveMinimum: 0, maximum: MAX_COMMAND_CREDITS },
    ],
    validator: {
      validate: (value: unknown) => typeof value === 'number' && isAmount(value, options.signed === true),
      defaultMessage: () =>
        options.signed === true
          ? `$property must be a number of credits other than 0, from -${MAX_COMMAND_CREDITS} to ${MAX_COMMAND_CREDITS}, with at most six decimals`
          : `$property must be a number of credits above 0, at most ${MAX_COMMAND_CREDITS}, with at most six decimals`,
    },
  });

function isAmount(value: number, signed: boolean): boolean {
  if (value === 0 || Math.abs(value) > MAX_COMMAND_CREDITS || (value < 0 && !signed)) return false;
  return exactCredits(value) !== undefined;
}

function exactCredits(value: number): Credits | undefined {
  try {
    const credits = creditsFromNumber(value);
    return credits === 0n ? undefined : credits;
  } catch {
    return undefined;
  }
}

/** A reference to the operator's own books. It is written into the ledger for ever, so it names no person. */
export const Reference = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MaxLength(MAX_REFERENCE_LENGTH),
    Matches(/^[A-Za-z0-9][A-Za-z0-9._:/#-]*$/, {
      message: '$property must be letters, digits and . _ : / # - only, and begin with a letter or digit',
    }),
  );

/** Free text for people. It is kept beside the command, not in the ledger, and goes when the account is erased. */
export const Note = (): PropertyDecorator =>
  applyDecorators(IsString(), MinLength(1), MaxLength(MAX_NOTE_LENGTH), OneLine());

/** Money in whole units of its currency: exact, so a decimal number as text. */
export const MoneyAmount = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    Matches(/^(?!0+(?:\.0+)?$)(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/, {
      message:
        '$property must be a decimal number above 0 as text, such as "12.50", with at most 12 digits before and 6 behind the point',
    }),
  );

const currencyMessage = '$property must be the three capital letters of a currency of ISO 4217, such as EUR';

/** A currency that there is: what is written into the ledger stays there for ever. */
export const Currency = (): PropertyDecorator =>
  applyDecorators(
    IsString(),
    IsISO4217CurrencyCode({ message: currencyMessage }),
    Matches(/^[A-Z]{3}$/, { message: currencyMessage }),
  );
