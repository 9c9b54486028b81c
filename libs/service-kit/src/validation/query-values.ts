import { Transform } from 'class-transformer';

/** `?page=2` arrives as text. Text that is no number stays text, so that the validator names the fault. */
export const queryInteger = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d{1,12}$/.test(value) ? Number(value) : value,
  );

export const queryNumber = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d{1,12}(?:\.\d{1,6})?$/.test(value) ? Number(value) : value,
  );

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

export const queryBoolean = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (booleans[value.toLowerCase()] ?? value) : value,
  );
