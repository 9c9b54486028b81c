import { apiKeyScopes } from '@capability-router/contracts';
import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';

/** Scopes of a key in a body: at least one, each once. */
export const Scopes = (): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(apiKeyScopes.length),
    ArrayUnique(),
    IsIn(apiKeyScopes, { each: true }),
  );
