import {
  capabilityEffects,
  type CapabilityEffect,
  type CapabilityTag,
  type LocalizedText,
} from '@capability-router/contracts';
import type { JsonObject, JsonValue } from '@capability-router/kernel';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';

/** Tools that one contract is bound to. */
export const MAX_CANDIDATES = 50;
const MAX_TAGS = 20;
/** Characters. */
const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 5_000;
const MAX_TAG_LENGTH = 50;
const MAX_ID_LENGTH = 100;

/** `resource.action`, as tools declare it. */
const capabilityId = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/;
const notBlank = { message: '$property must not be blank' };
const oneLine = { message: '$property must be one line, and not blank' };

class NameBody implements LocalizedText {
  @IsString() @MaxLength(MAX_NAME_LENGTH) @Matches(/^(?=.*\S)[^\n\r\t]*$/, oneLine) en: string;
  @IsOptional() @IsString() @MaxLength(MAX_NAME_LENGTH) @Matches(/^(?=.*\S)[^\n\r\t]*$/, oneLine) zh?: string;
}

class DescriptionBody implements LocalizedText {
  @IsString() @MaxLength(MAX_DESCRIPTION_LENGTH) @Matches(/\S/, notBlank) en: string;
  @IsOptional() @IsString() @MaxLength(MAX_DESCRIPTION_LENGTH) @Matches(/\S/, notBlank) zh?: string;
}

class TagBody implements CapabilityTag {
  @IsString() @MaxLength(MAX_TAG_LENGTH) @Matches(/\S/, notBlank) id: string;
  @IsOptional() @IsString() @MaxLength(MAX_NAME_LENGTH) @Matches(/\S/, notBlank) name?: string;
  @IsOptional() @IsString() @MaxLength(MAX_TAG_LENGTH) @Matches(/\S/, notBlank) type?: string;
  @IsOptional() @IsString() @MaxLength(MAX_DESCRIPTION_LENGTH) @Matches(/\S/, notBlank) description?: string;
}

/** One binding. What a mapping may hold is looked at where its paths are read. */
class CandidateBody {
  @IsString() tool_id: string;
  @IsOptional() @IsObject() parameters?: JsonObject;
  @IsOptional() @IsObject() result?: JsonObject;
  /** Any JSON. */
  @IsOptional() sample_result?: JsonValue;
}

/** A contract as administrators write it: body of `PUT /admin/v1/capabilities/{capability_id}`, and a row of an import. */
export class CapabilityDocument {
  @IsOptional() @IsIn(['capability']) kind?: 'capability';

  /** As in the path, where there is one. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  @Matches(capabilityId, { message: '$property must be like weather.forecast: lower-case words, joined by dots' })
  capability_id?: string;

  @ValidateNested() @Type(() => NameBody) @IsObject() name: NameBody;
  @ValidateNested() @Type(() => DescriptionBody) @IsObject() description: DescriptionBody;
  @IsObject() parameters_schema: JsonObject;
  @IsObject() result_schema: JsonObject;

  @IsArray()
  @ArrayMaxSize(MAX_CANDIDATES)
  @ValidateNested({ each: true })
  @Type(() => CandidateBody)
  candidates: CandidateBody[];

  @IsIn(capabilityEffects) effect: CapabilityEffect;
  @IsObject() sample_parameters: JsonObject;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_TAGS)
  @ValidateNested({ each: true })
  @Type(() => TagBody)
  tags?: TagBody[];

  /** Names the contract that was looked at; nothing is done where it is another one by now. */
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/, { message: '$property must be the schema_hash of the contract, 64 hex digits' })
  schema_hash?: string;
}
