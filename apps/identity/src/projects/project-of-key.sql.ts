/** Columns for a query that has keys under the alias `k`, with `keyProjectJoin`. */
export const keyProjectColumns = `
k.project_id AS "projectId", project.state AS "projectState", project.budget_micro AS "projectBudgetMicro",
       project.budget_period AS "projectBudgetPeriod"`;
export const keyProjectJoin = `LEFT JOIN projects project ON project.project_id = k.project_id`;
