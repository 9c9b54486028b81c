import type { ValidationDetail } from '@capability-router/contracts';
import {
  creditsFromNumber,
  fail,
  isJsonObject,
  MAX_ABSOLUTE_CREDITS,
  ok,
  type Credits,
  type JsonObject,
  type Result,
} from '@capability-router/kernel';
import { SessionId, validateBody } from '@capability-router/service-kit';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  Matches,
  Max,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import type { RoutingRequest } from '../routing/index.js';

/** Characters. */
const MAX_ID_LENGTH = 200;
const MAX_QUERY_LENGTH = 2_000;
const MAX_PROVIDER_IDS = 100;
/** Not blank, and without control characters. */
const visible = /^(?=.*\S)\P{Cc}*$/u;
/** For the whole result, whatever its size. */
const ALL_BYTES = -1;
const preferences = ['price', 'speed', 'quality'] as const;

const textId = (): PropertyDecorator => (target, key) => {
  IsOptional()(target, key);
  IsString()(target, key);
  MaxLength(MAX_ID_LENGTH)(target, key);
  Matches(visible, { message: '$property must not be blank, and have no control characters' })(target, key);
};

/** Body of `POST /capabilities/query`, which is closed. A member that is null counts as absent. */
export class CapabilityQueryBody {
  @textId() readonly capability_id?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_QUERY_LENGTH)
  @Matches(visible, { message: '$property must not be blank, and have no control characters' })
  readonly query?: string | null;

  @IsOptional() @IsObject() readonly parameters?: JsonObject | null;
  @IsOptional() @IsObject() readonly params?: JsonObject | null;

  // The fault of the last decorator is told where there are several.
  @IsOptional()
  @ValidateBy({
    name: 'isAmount',
    validator: { validate: isAmount, defaultMessage: () => '$property must have at most six decimals' },
  })
  @Max(Number(MAX_ABSOLUTE_CREDITS))
  @IsPositive()
  @IsNumber()
  readonly max_credits?: number | null;

  // One rule for both, so that the OpenAPI document, which is made of the rules, has both.
  @IsOptional()
  @IsInt()
  @ValidateBy({
    name: 'sizeOrAll',
    validator: {
      validate: (size) => typeof size === 'number' && (size === ALL_BYTES || size >= 1),
      defaultMessage: () => '$property must be -1 or a positive integer of bytes',
    },
  })
  readonly max_response_size?: number | null;

  @SessionId() readonly session_id?: string | null;
  @textId() readonly search_id?: string | null;
  @textId() readonly run_id?: string | null;
  @textId() readonly provider_id?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_PROVIDER_IDS)
  @IsString({ each: true })
  @MaxLength(MAX_ID_LENGTH, { each: true })
  readonly provider_ids?: string[] | null;

  @IsOptional() @IsIn(preferences) readonly prefer?: (typeof preferences)[number] | null;
}

/** A query whose shape is right; whether the capability exists and takes these parameters is another question. */
export interface CapabilityQuery {
  /** The capability's id, or what it is to do in words. */
  readonly wanted: { readonly capabilityId: string } | { readonly query: string };
  readonly parameters: JsonObject;
  readonly maxCredits?: Credits;
  /** Bytes; -1 for no truncation. */
  readonly maxResponseSize?: number;
  readonly constraints: Pick<RoutingRequest, 'providerId' | 'providerIds' | 'prefer'>;
}

export function readCapabilityQuery(body: unknown): Result<CapabilityQuery, ValidationDetail[]> {
  const read = validateBody(CapabilityQueryBody, body);
  if (!read.ok) return fail(read.error);
  const given = withoutNull(read.value);
  const details = [...faultsOfWanted(given), ...faultsOfParameters(given)];
  const { capability_id: capabilityId, query = '', max_credits: maxCredits } = given;
  if (details.length > 0) return fail(details);
  const { max_response_size: maxResponseSize, provider_id: providerId, provider_ids: providerIds, prefer } = given;
  return ok({
    wanted: capabilityId === undefined ? { query } : { capabilityId },
    parameters: parametersOf(body),
    ...(maxCredits === undefined ? {} : { maxCredits: creditsFromNumber(maxCredits) }),
    ...(maxResponseSize === undefined ? {} : { maxResponseSize }),
    constraints: {
      ...(providerId === undefined ? {} : { providerId }),
      ...(providerIds === undefined ? {} : { providerIds }),
      ...(prefer === undefined ? {} : { prefer }),
    },
  });
}

type Given = { readonly [Name in keyof CapabilityQueryBody]?: NonNullable<CapabilityQueryBody[Name]> };

const withoutNull = (body: CapabilityQueryBody): Given =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));

/** As they came: an instance of the class has copies. */
function parametersOf(body: unknown): JsonObject {
  const given = isJsonObject(body) ? (body['parameters'] ?? body['params']) : undefined;
  return isJsonObject(given) ? given : {};
}

function faultsOfWanted({ capability_id: id, query }: Given): ValidationDetail[] {
  if ((id === undefined) !== (query === undefined)) return [];
  return id === undefined
    ? [{ type: 'missing', loc: ['body', 'capability_id'], msg: 'Give capability_id, or say in query what is wanted' }]
    : [{ type: 'value_error', loc: ['body', 'query'], msg: 'Give capability_id or query, and not both' }];
}

function faultsOfParameters({ parameters, params }: Given): ValidationDetail[] {
  if (parameters === undefined || params === undefined) return [];
  return [{ type: 'value_error', loc: ['body', 'params'], msg: 'params is another name of parameters; give one' }];
}

/** Above 0, and no smaller part than a micro-credit. */
function isAmount(value: unknown): boolean {
  try {
    return typeof value === 'number' && creditsFromNumber(value) > 0n;
  } catch {
    return false;
  }
}
