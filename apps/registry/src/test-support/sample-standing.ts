import { showVerification, type ToolContract } from '@capability-router/contracts';
import { executionRestrictionsOf } from '../tool-result/execution-restrictions.js';
import type { Standing } from '../tool-result/tool-standing.js';
import { requiredChecks } from '../verification/domain/required-checks.js';

/** The standing of a tool that was never verified, for an account whose region is not known. */
export function sampleStanding(tool: ToolContract): Standing {
  const subject = { toolVersion: tool.version, requiredChecks: requiredChecks(tool), running: false };
  const verification = showVerification(undefined, subject, 0);
  const restrictions = executionRestrictionsOf(tool, undefined);
  return { verification_status: verification.status, verification, execution_restrictions: restrictions };
}
