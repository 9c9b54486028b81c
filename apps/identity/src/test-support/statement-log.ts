import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** Statements that the database is asked on behalf of a piece of work, whatever else the process does meanwhile. */
export class StatementLog {
  private readonly asked = new AsyncLocalStorage<string[]>();
  private readonly query: unknown = Reflect.get(pg.Client.prototype, 'query');

  /** From now on clients of PostgreSQL are looked on; what they do is as before. */
  begin(): void {
    const { asked, query } = this;
    Reflect.set(pg.Client.prototype, 'query', function told(this: pg.Client, ...values: unknown[]): unknown {
      const [first] = values;
      const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
      asked.getStore()?.push((text ?? '').replaceAll(/\s+/g, ' ').trim());
      const answered: unknown = Reflect.apply(query as () => unknown, this, values);
      return answered;
    });
  }

  end(): void {
    Reflect.set(pg.Client.prototype, 'query', this.query);
  }

  /** The answer, and the statements that it took, in their order and without their values. */
  async of<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly statements: readonly string[] }> {
    const statements: string[] = [];
    const answer = await this.asked.run(statements, work);
    return { answer, statements };
  }
}
