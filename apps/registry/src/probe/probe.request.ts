import { MAX_TOOL_ID_LENGTH, type JsonObject } from '@capability-router/kernel';
import { OneLine } from '@capability-router/service-kit';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
} from 'class-validator';
import { probeChecks, type ProbeCheck } from './domain/probe-tool.js';

/** Entries of `checks`; naming one twice asks for it once. */
const MAX_CHECKS = 16;
/** The budget of a probe at the provider: nothing, questions about what it has, or a small real request. */
const liveBudgets = ['none', 'metadata', 'sampled'] as const;

/** Body of `POST /tools/probe`. Unknown members are ignored; null counts as absent. */
export class ProbeRequest {
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_TOOL_ID_LENGTH)
  @OneLine()
  readonly tool_id?: string | null;

  @IsOptional()
  @IsObject()
  readonly parameters: JsonObject = {};

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_CHECKS)
  @IsIn(probeChecks, { each: true })
  readonly checks: ProbeCheck[] = ['schema'];

  @IsOptional()
  @IsIn(liveBudgets)
  readonly live_budget?: (typeof liveBudgets)[number] | null;
}
