import { applyDecorators } from '@nestjs/common';
import { IsISO31661Alpha2, Matches } from 'class-validator';

/** Two capital letters, as in the `region` of tools. */
export const Region = (): PropertyDecorator =>
  applyDecorators(
    IsISO31661Alpha2({ message: '$property must be a country of ISO 3166-1 alpha-2, like US' }),
    Matches(/^[A-Z]{2}$/, { message: '$property must be two capital letters, like US' }),
  );
