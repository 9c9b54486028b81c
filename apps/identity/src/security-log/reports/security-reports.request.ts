import type {
  AdmittedChange,
  ReportedCaller as Caller,
  SecurityReport,
  SecurityReportRequest,
} from '@capability-router/contracts';
import { OneLine } from '@capability-router/service-kit';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
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

class ReportedCaller implements Caller {
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

  @IsIn(['forbidden', 'sign_in_failed', 'answered'])
  readonly kind: SecurityReport['kind'];

  @IsInt()
  @Min(1)
  readonly occurrences: number;

  @ValidateIf((report: Report) => report.caller !== undefined)
  @ValidateNested()
  @Type(() => ReportedCaller)
  readonly caller?: ReportedCaller;

  @IsOptional()
  @IsUUID()
  readonly admittedId?: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly accountId?: string;

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

export class AdmittedChangeRequest implements AdmittedChange {
  @IsUUID()
  readonly entryId: string;

  @IsObject()
  @ValidateNested()
  @Type(() => ReportedCaller)
  readonly caller: ReportedCaller;

  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly route: string;

  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly path: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly accountId?: string;

  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly requestId: string;

  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  @OneLine()
  readonly clientAddress: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_TEXT_LENGTH)
  readonly userAgent?: string;
}
