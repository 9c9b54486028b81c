import { priceTerms, type Language, type PriceRule, type PriceTerms } from '@capability-router/contracts';
import {
  creditsFromMicro,
  creditsToNumber,
  formatCredits,
  ZERO_CREDITS,
  type Credits,
} from '@capability-router/kernel';
import { plural, startingPrice } from '@capability-router/tool-calls';

export interface BillingRule extends PriceTerms {
  readonly unit: string;
  readonly amount_credits: number;
  readonly description: string;
  readonly billing_unit: string;
  readonly price: { readonly amount_credits: number; readonly unit: string; readonly unit_label: string };
  readonly minimum_charge_credits?: number;
  readonly metering_mode: string;
}

const amountOf = (rule: PriceRule): Credits => creditsFromMicro(BigInt(rule.amountMicroCredits));
const minimumOf = (rule: PriceRule): Credits =>
  rule.minimumMicroCredits === undefined ? ZERO_CREDITS : creditsFromMicro(BigInt(rule.minimumMicroCredits));

/** The price of the first units that are not free, as a numeric string such as `"0.5"`. */
export const expectedCost = (rule: PriceRule): string => formatCredits(startingPrice(rule));

export function billingRuleOf(rule: PriceRule, language: Language): BillingRule {
  const amount = creditsToNumber(amountOf(rule));
  const minimum = minimumOf(rule);
  return {
    unit: rule.unitLabel,
    amount_credits: amount,
    description: language === 'zh' ? inChinese(rule) : inEnglish(rule),
    billing_unit: rule.unitLabel,
    price: { amount_credits: amount, unit: 'credits', unit_label: rule.unitLabel },
    ...(minimum > 0n ? { minimum_charge_credits: creditsToNumber(minimum) } : {}),
    metering_mode: rule.metering.kind,
    ...priceTerms(rule),
  };
}

const micro = (amount: string): string => formatCredits(creditsFromMicro(BigInt(amount)));

/** True if every amount of the rule is 0. */
const isFree = (rule: PriceRule): boolean =>
  [
    rule.amountMicroCredits,
    rule.minimumMicroCredits ?? '0',
    ...(rule.tiers ?? []).map((t) => t.amountMicroCredits),
  ].every((amount) => BigInt(amount) === 0n);

function inEnglish(rule: PriceRule): string {
  if (isFree(rule)) return 'Free.';
  const { metering, unitLabel: label, perUnits = 1, freeUnits, tiers = [], cacheHitMicroCredits: hit } = rule;
  const amount = micro(rule.amountMicroCredits);
  const named = englishUnits[metering.kind];
  const unit = perUnits === 1 ? (named ?? label) : `${perUnits} ${plural(named ?? label)}`;
  const terms = [
    `${amount} ${amount === '1' ? 'credit' : 'credits'} per ${unit}`,
    ...tiers.map((tier) => `${micro(tier.amountMicroCredits)} above ${tier.aboveUnits} ${plural(label)}`),
    ...(freeUnits === undefined ? [] : [`the first ${freeUnits} ${plural(label)} of a call free`]),
    ...(minimumOf(rule) > 0n ? [`at least ${formatCredits(minimumOf(rule))} per successful call`] : []),
    ...(hit === undefined ? [] : [`at most ${micro(hit)} when answered from the cache`]),
  ];
  return `${terms.join(', ')}. Failed and empty calls are free.`;
}

/** Units that are named more exactly than by the label of the price. */
const englishUnits: Readonly<Partial<Record<PriceRule['metering']['kind'], string>>> = {
  result_rows: 'result row',
  result_kilobytes: 'started kilobyte of the result',
  parameter_kilobytes: 'started kilobyte of input',
};

function inChinese(rule: PriceRule): string {
  if (isFree(rule)) return '免费。';
  const { metering, unitLabel: label, perUnits = 1, freeUnits, tiers = [], cacheHitMicroCredits: hit } = rule;
  const named = chineseUnits[metering.kind] ?? ` ${label} `;
  const unit = perUnits === 1 ? named : ` ${perUnits} ${named.trim()} `;
  const terms = [
    `每${unit} ${micro(rule.amountMicroCredits)} 积分`.replaceAll('  ', ' '),
    ...tiers.map((tier) => `超过 ${tier.aboveUnits} 个单位的部分 ${micro(tier.amountMicroCredits)} 积分`),
    ...(freeUnits === undefined ? [] : [`每次调用前 ${freeUnits} 个单位免费`]),
    ...(minimumOf(rule) > 0n ? [`每次成功调用最低 ${formatCredits(minimumOf(rule))} 积分`] : []),
    ...(hit === undefined ? [] : [`命中缓存时最多 ${micro(hit)} 积分`]),
  ];
  return `${terms.join('，')}。失败或结果为空不收费。`;
}

/** A unit that the tool declares has the name that it gave. */
const chineseUnits: Readonly<Partial<Record<PriceRule['metering']['kind'], string>>> = {
  call: '次调用',
  result_rows: '行结果',
  result_kilobytes: 'KB 结果（不足 1 KB 按 1 KB 计）',
  parameter_kilobytes: 'KB 输入（不足 1 KB 按 1 KB 计）',
};
