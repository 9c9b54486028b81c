import type { SecurityReport, SecurityReportRequest } from '@capability-router/contracts';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';

/** Reports of one request. */
const MAX_REPORTS = 200;
/** Characters. */
const MAX_TEXT_LENGTH = 300;

class ReportedCaller {
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly accountId: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly apiKeyId?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly oauthClientId?: string;

  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly credentialType: string;
}

class Report implements SecurityReport {
  @IsUUID()
  readonly entryId: string;

  @IsIn(['forbidden', 'sign_in_failed'])
  readonly kind: SecurityReport['kind'];

  @IsInt()
  @Min(1)
  readonly occurrences: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => ReportedCaller)
  readonly caller?: ReportedCaller;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly route?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly reason?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly requestId?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly clientAddress?: string;
}

export class SecurityReports implements SecurityReportRequest {
  @IsArray()
  @ArrayMaxSize(MAX_REPORTS)
  @ValidateNested({ each: true })
  @Type(() => Report)
  readonly reports: Report[];
}
