import {
  fieldTypes,
  isResultField,
  MAX_EXPRESSION_LENGTH,
  MAX_PLAN_DEADLINE_MS,
  MAX_PLANNED_ATTEMPTS,
  MAX_REFUSAL_MESSAGE_LENGTH,
  parseSingularQuery,
  type PlannedAttempt,
  type PlannedCapability,
  type RefusePlanRequest,
  type ResultFields,
  type RunPlanRequest,
  type ValueMapping,
} from '@capability-router/contracts';
import { isJsonObject, isToolId, type JsonObject } from '@capability-router/kernel';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

/** Fields of a contract, and members of a mapping. */
const MAX_FIELDS = 100;
/** Characters. */
const MAX_ID_LENGTH = 200;
const MAX_NAME_LENGTH = 200;

const sha256 = /^[0-9a-f]{64}$/;
/** Micro-credits above 0, as a decimal string; the largest amount has 16 digits. */
const microCredits = /^[1-9]\d{0,15}$/;

class CapabilityBody implements PlannedCapability {
  @IsString() @MaxLength(MAX_ID_LENGTH) capabilityId: string;
  @IsOptional() @IsInt() @Min(1) contractVersion?: number;
  @IsOptional() @Matches(sha256) schemaHash?: string;
}

class AttemptBody implements PlannedAttempt {
  @ValidateBy({ name: 'isToolId', validator: { validate: isId, defaultMessage: () => '$property must be a tool id' } })
  toolId: string;

  @IsInt() @Min(1) toolVersion: number;
  @Matches(sha256) priceRuleHash: string;
  @IsObject() parameters: JsonObject;
  @IsOptional() @IsInt() @Min(0) @Max(MAX_PLAN_DEADLINE_MS) expectedMs?: number;

  @IsOptional()
  @ValidateBy({ name: 'isMapping', validator: { validate: isMapping, defaultMessage: () => mappingWanted } })
  result?: ValueMapping;
}

class AnswerBody {
  @IsOptional() @IsObject() parameters?: JsonObject;
  @IsOptional() @IsObject() routing?: JsonObject;
}

/** Body of `POST /internal/plans`. */
export class RunPlanBody implements RunPlanRequest {
  @ValidateNested() @Type(() => CapabilityBody) @IsObject() capability: CapabilityBody;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_PLANNED_ATTEMPTS)
  @ValidateNested({ each: true })
  @Type(() => AttemptBody)
  attempts: AttemptBody[];

  @ValidateBy({ name: 'isFields', validator: { validate: isFields, defaultMessage: () => fieldsWanted } })
  fields: ResultFields;

  @IsInt() @Min(1) @Max(MAX_PLAN_DEADLINE_MS) deadlineMs: number;
  @IsBoolean() repeatable: boolean;
  @IsOptional() @IsBoolean() readOnly?: boolean;
  @IsOptional() @Matches(microCredits) maxMicroCredits?: string;

  @IsOptional()
  @ValidateIf(({ maxResponseSize }: RunPlanBody) => maxResponseSize !== -1)
  @IsInt()
  @Min(1)
  maxResponseSize?: number;

  @IsObject() request: JsonObject;
  @IsOptional() @IsString() idempotencyKey?: string;
  @IsOptional() @ValidateNested() @Type(() => AnswerBody) @IsObject() answer?: AnswerBody;
}

/** Body of `POST /internal/plans:refuse`. */
export class RefusePlanBody implements RefusePlanRequest {
  @IsOptional() @IsString() capabilityId?: string;
  @IsIn([200, 402, 404, 408, 422]) httpStatus: RefusePlanRequest['httpStatus'];

  @IsIn(['validation_error', 'tool_unavailable', 'region_restricted', 'insufficient_credits', 'budget_exceeded'])
  reasonCode: RefusePlanRequest['reasonCode'];

  @IsString() @MaxLength(MAX_REFUSAL_MESSAGE_LENGTH) message: string;
  @IsObject() request: JsonObject;
  @IsOptional() @IsString() idempotencyKey?: string;
}

const fieldsWanted = `$property must have at most ${MAX_FIELDS} members, each with a type (${fieldTypes.join(', ')}), or a list of types, and required`;
const mappingWanted = `$property must have at most ${MAX_FIELDS} members, each with a value, with from and a path such as $.a['b'][0], or with jsonata and an expression`;

function isId(value: unknown): boolean {
  return typeof value === 'string' && isToolId(value);
}

function isFields(value: unknown): boolean {
  return membersOf(value).every(isResultField);
}

function isMapping(value: unknown): boolean {
  return membersOf(value).every((mapped) => isJsonObject(mapped) && isMapped(mapped));
}

function isMapped({ from, jsonata, ...mapped }: JsonObject): boolean {
  return isPath(from) || 'value' in mapped || (typeof jsonata === 'string' && jsonata.length <= MAX_EXPRESSION_LENGTH);
}

function isPath(from: unknown): boolean {
  if (typeof from !== 'string') return false;
  try {
    parseSingularQuery(from);
    return true;
  } catch {
    return false;
  }
}

/** A member that is none where the value is no object, or too large. */
function membersOf(value: unknown): unknown[] {
  if (!isJsonObject(value)) return [undefined];
  const names = Object.keys(value);
  if (names.length > MAX_FIELDS || names.some((name) => name.length > MAX_NAME_LENGTH)) return [undefined];
  return Object.values(value);
}
