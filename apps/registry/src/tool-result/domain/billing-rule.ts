import type { Language, PriceRule } from '@capability-router/contracts';
import { creditsFromMicro, creditsToNumber, formatCredits, maxCredits, ZERO_CREDITS } from '@capability-router/kernel';
import type { Credits } from '@capability-router/kernel';

export interface BillingRule {
  readonly unit: string;
  readonly amount_credits: number;
  readonly description: string;
  readonly billing_unit: string;
  readonly price: { readonly amount_credits: number; readonly unit: string; readonly unit_label: string };
  readonly minimum_charge_credits?: number;
  readonly metering_mode: string;
}

type UnitLabel = PriceRule['unitLabel'];

const unitNames: Readonly<Record<Language, Readonly<Record<UnitLabel, string>>>> = {
  en: { call: 'call', row: 'result row', kilobyte: 'started kilobyte of input' },
  zh: { call: '次调用', row: '行结果', kilobyte: 'KB 输入（不足 1 KB 按 1 KB 计）' },
};

const amountOf = (rule: PriceRule): Credits => creditsFromMicro(BigInt(rule.amountMicroCredits));
const minimumOf = (rule: PriceRule): Credits =>
  rule.minimumMicroCredits === undefined ? ZERO_CREDITS : creditsFromMicro(BigInt(rule.minimumMicroCredits));

/** The least that a successful call with one unit costs. */
export const startingPrice = (rule: PriceRule): Credits => maxCredits(amountOf(rule), minimumOf(rule));

/** A numeric string, e.g. `"0.5"`. */
export const expectedCost = (rule: PriceRule): string => formatCredits(startingPrice(rule));

export function billingRuleOf(rule: PriceRule, language: Language): BillingRule {
  const amount = creditsToNumber(amountOf(rule));
  const minimum = minimumOf(rule);
  return {
    unit: rule.unitLabel,
    amount_credits: amount,
    description: describePrice(rule, language),
    billing_unit: rule.unitLabel,
    price: { amount_credits: amount, unit: 'credits', unit_label: rule.unitLabel },
    ...(minimum > 0n ? { minimum_charge_credits: creditsToNumber(minimum) } : {}),
    metering_mode: rule.metering.kind,
  };
}

function describePrice(rule: PriceRule, language: Language): string {
  if (startingPrice(rule) === 0n) return language === 'zh' ? '免费。' : 'Free.';
  const amount = formatCredits(amountOf(rule));
  const minimum = formatCredits(minimumOf(rule));
  const unit = unitNames[language][rule.unitLabel];
  const hasMinimum = minimumOf(rule) > 0n;
  if (language === 'zh') {
    return `每${unit} ${amount} 积分${hasMinimum ? `，每次成功调用最低 ${minimum} 积分` : ''}。失败或结果为空不收费。`;
  }
  const noun = amount === '1' ? 'credit' : 'credits';
  const least = hasMinimum ? `, at least ${minimum} per successful call` : '';
  return `${amount} ${noun} per ${unit}${least}. Failed and empty calls are free.`;
}
