import type {
  ExecutionRestrictions,
  ShownVerification,
  ToolContract,
  VerificationStatus,
} from '@capability-router/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { VerificationCopy } from '../verification/verification-copy.js';
import { executionRestrictionsOf } from './execution-restrictions.js';

/** The standing of a tool, which callers want to know before they call it, beside its contract. */
export interface Standing {
  readonly verification_status: VerificationStatus;
  readonly verification: ShownVerification;
  readonly execution_restrictions: ExecutionRestrictions;
}

@Injectable()
export class ToolStanding {
  constructor(@Inject(VerificationCopy) private readonly verifications: VerificationCopy) {}

  /** `region`: of the account that asks; undefined where it is not known. */
  of(tool: ToolContract, region: string | undefined): Standing {
    const verification = this.verifications.shown(tool);
    return {
      verification_status: verification.status,
      verification,
      execution_restrictions: executionRestrictionsOf(tool, region, this.verifications.dataAsOf(tool)),
    };
  }
}
