import { projectStates, type ProjectState } from '@capability-router/contracts';
import { creditsFromNumber } from '@capability-router/kernel';
import { Type } from 'class-transformer';
import { IsIn, IsObject, IsOptional, ValidateIf, ValidateNested } from 'class-validator';
import { KeyBudget } from '../api-keys/key-budgets.request.js';
import { PlainText } from '../plain-text.decorator.js';
import { MAX_PROJECT_NAME_LENGTH, type ProjectBudget } from '../projects/project.js';

/** Body that makes a project. */
export class CreateProjectRequest {
  @PlainText(1, MAX_PROJECT_NAME_LENGTH)
  readonly name: string;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => KeyBudget)
  readonly budget?: KeyBudget | null;
}

/** Body that changes a project: what is absent stays as it is, and a budget of null is lifted. */
export class ChangeProjectRequest {
  @ValidateIf((request: ChangeProjectRequest) => request.name !== undefined)
  @PlainText(1, MAX_PROJECT_NAME_LENGTH)
  readonly name?: string;

  @ValidateIf((request: ChangeProjectRequest) => request.state !== undefined)
  @IsIn(projectStates)
  readonly state?: ProjectState;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => KeyBudget)
  readonly budget?: KeyBudget | null;
}

/** Undefined where nothing is said of a budget, null where there shall be none. */
export const budgetIn = ({ budget }: Pick<ChangeProjectRequest, 'budget'>): ProjectBudget | null | undefined =>
  budget ? { amount: creditsFromNumber(budget.amount_credits), period: budget.period } : budget;
