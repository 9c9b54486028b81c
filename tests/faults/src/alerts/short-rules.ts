import type { AlertRule } from '@capability-router/tools-stack';

/** In place of the minutes for which an expression has to hold. */
const SHORT_FOR = '2s';
/** In place of the minutes that a range of a query looks back: some scrapes. */
const SHORT_RANGE = '[15s]';

/**
 * The rules with the minutes for which they wait and over which they look back cut to seconds. What they compare, and with what, stays as it is
 * installed.
 */
export function shortRules(rules: readonly AlertRule[]): AlertRule[] {
  return rules.map((rule) => ({
    ...rule,
    expr: rule.expr.replaceAll(/\[\d+m\]/g, SHORT_RANGE),
    ...(rule.for === undefined ? {} : { for: SHORT_FOR }),
  }));
}
