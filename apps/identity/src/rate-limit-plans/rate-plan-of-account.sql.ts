/** Columns for a query that has accounts under the alias `a`, with `ratePlanJoin`. */
export const ratePlanColumns = `
COALESCE(a.rate_limit_plan, a.kind) AS "planName", plan.per_minute AS "planPerMinute"`;
export const ratePlanJoin = `LEFT JOIN rate_limit_plans plan ON plan.name = COALESCE(a.rate_limit_plan, a.kind)`;
