import { Type } from 'class-transformer';
import { IsInt, IsObject, IsOptional, Matches, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import { MAX_PER_MINUTE, PLAN_NAME } from './rate-limit-plan.js';

class PerMinute {
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PER_MINUTE)
  readonly discover?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PER_MINUTE)
  readonly inspect?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PER_MINUTE)
  readonly probe?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PER_MINUTE)
  readonly call?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PER_MINUTE)
  readonly read?: number;
}

/** Body of `PUT /admin/v1/rate-limit-plans/{name}`. */
export class PutRateLimitPlanRequest {
  /** All limits of the plan. A surface that is absent or null has the limit of the deployment. */
  @IsObject()
  @ValidateNested()
  @Type(() => PerMinute)
  readonly per_minute: PerMinute;
}

/** Body of `PUT /admin/v1/accounts/{account_id}/rate-limit-plan`. */
export class AssignRateLimitPlanRequest {
  /** Null: the default plan of the account's kind. */
  @ValidateIf((request: AssignRateLimitPlanRequest) => request.plan !== null)
  @Matches(PLAN_NAME, { message: 'plan must be the name of a plan, or null for the default of the account' })
  readonly plan: string | null;
}
