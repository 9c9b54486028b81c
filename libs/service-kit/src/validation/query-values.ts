import { Transform } from 'class-transformer';

/** Characters; beyond what any language writes a number with. */
const MAX_NUMBER_CHARACTERS = 40;
/** As JSON has them: languages write small and large numbers with an exponent. */
const numberPattern = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * `?page=2` arrives as text. Text that is no number stays text, so that the validator names the fault. One that is too
 * large to be exact is still too large, which is for the bounds to say.
 */
export const queryInteger = (): PropertyDecorator => asNumber(/^-?\d+$/);

/** As `queryInteger`, for what has at most nine digits and no sign; anything else stays text, which is no integer. */
export const queryCount = (): PropertyDecorator => asNumber(/^\d{1,9}$/);

export const queryNumber = (): PropertyDecorator => asNumber(numberPattern);

const asNumber = (pattern: RegExp): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && value.length <= MAX_NUMBER_CHARACTERS && pattern.test(value) ? Number(value) : value,
  );

/** A UUID is the same in upper case, and is stored in lower case. */
export const lowerCaseUuid = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

export const queryBoolean = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (booleans[value.toLowerCase()] ?? value) : value,
  );
