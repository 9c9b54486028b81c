import { OneLine } from '@capability-router/service-kit';
import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, MaxLength, MinLength } from 'class-validator';

/** One line of visible text, from `minLength` to `maxLength` characters, which is not blank unless it may be empty. */
export const PlainText = (minLength: number, maxLength: number): PropertyDecorator =>
  applyDecorators(
    IsString(),
    MinLength(minLength),
    MaxLength(maxLength),
    OneLine(),
    ...(minLength > 0 ? [Matches(/\S/, { message: '$property must not be blank' })] : []),
  );
