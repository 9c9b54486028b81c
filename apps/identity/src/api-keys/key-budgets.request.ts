import { budgetPeriods, type BudgetPeriod } from '@capability-router/contracts';
import { creditsFromNumber } from '@capability-router/kernel';
import { Type } from 'class-transformer';
import { IsIn, IsNumber, IsObject, IsOptional, Min, ValidateNested } from 'class-validator';
import { CreditNumber } from '../credit-number.decorator.js';
import type { BudgetChange } from './change-budgets.js';

/** Credits. */
const MAX_BUDGET_CREDITS = 1_000_000_000;
/** Credits; the smallest amount there is. */
const MIN_BUDGET_CREDITS = 0.000001;

class SessionBudget {
  @IsNumber()
  @CreditNumber(MAX_BUDGET_CREDITS)
  @Min(MIN_BUDGET_CREDITS)
  readonly amount_credits: number;
}

export class KeyBudget extends SessionBudget {
  @IsIn(budgetPeriods)
  readonly period: BudgetPeriod;
}

/** The limits in a body of the admin API. Null takes a limit away, and what is absent stays as it is. */
export class KeyBudgetsRequest {
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => KeyBudget)
  readonly budget?: KeyBudget | null;

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SessionBudget)
  readonly session_budget?: SessionBudget | null;
}

export function budgetChangeOf({ budget, session_budget: session }: KeyBudgetsRequest): BudgetChange {
  return {
    ...(budget === undefined
      ? {}
      : { key: budget && { amount: creditsFromNumber(budget.amount_credits), period: budget.period } }),
    ...(session === undefined ? {} : { session: session && { amount: creditsFromNumber(session.amount_credits) } }),
  };
}
