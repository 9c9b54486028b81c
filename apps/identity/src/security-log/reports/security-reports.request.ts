import type { SecurityReport, SecurityReportRequest } from '@capability-router/contracts';
import { OneLine } from '@capability-router/service-kit';
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
  ValidateIf,
  ValidateNested,
} from 'class-validator';

/** Reports of one request. */
const MAX_REPORTS = 200;
/** Characters. */
const MAX_TEXT_LENGTH = 300;

class ReportedCaller {
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly accountId: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly apiKeyId?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly oauthClientId?: string;

  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
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

  @ValidateIf((report: Report) => report.caller !== undefined)
  @ValidateNested()
  @Type(() => ReportedCaller)
  readonly caller?: ReportedCaller;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly route?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly reason?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly requestId?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly clientAddress?: string;
}

export class SecurityReports implements SecurityReportRequest {
  @IsArray()
  @ArrayMaxSize(MAX_REPORTS)
  @ValidateNested({ each: true })
  @Type(() => Report)
  readonly reports: Report[];
}
