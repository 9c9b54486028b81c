import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';

/** One line of visible text: it goes into logs, lists and PostgreSQL, none of which take NUL or other control characters. */
export const PlainText = (minLength: number, maxLength: number): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MinLength(minLength),
    MaxLength(maxLength),
    Matches(/^\P{Cc}*$/u, { message: '$property must not contain control characters' }),
    ...(minLength > 0 ? [Matches(/\S/, { message: '$property must not be blank' })] : []),
  );
