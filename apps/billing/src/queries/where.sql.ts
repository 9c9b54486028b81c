/** Collects conditions with numbered parameters; the account is always the first, so every query is by account. */
export class WhereClause {
  private readonly conditions: string[];
  readonly values: unknown[];

  constructor(accountColumn: string, accountId: string, ...fixed: string[]) {
    this.values = [accountId];
    this.conditions = [`${accountColumn} = $1`, ...fixed];
  }

  /** `condition` has `?` where the value goes. An undefined value adds nothing. */
  and(condition: string, value: unknown): this {
    if (value === undefined) return this;
    this.values.push(value);
    this.conditions.push(condition.replaceAll('?', `$${this.values.length}`));
    return this;
  }

  /** A condition without a value. */
  require(condition: string): this {
    this.conditions.push(condition);
    return this;
  }

  get sql(): string {
    return this.conditions.join(' AND ');
  }
}
