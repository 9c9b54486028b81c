import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { findProgram, OperatorError, workspaceRoot, type StackState } from '@capability-router/tools-stack';
import pg from 'pg';

const run = promisify(execFile);
const NAME = 'finance';
const SINK_ROLE = 'finance_sink';
const PASSWORD_BYTES = 16;
const TIMEOUT_MS = 60_000;

/** The database of finance, with a role for the sinks that may read and write its tables and no more. */
export class FinanceDatabase {
  private constructor(
    /** The connection of its owner. */
    readonly url: string,
    private readonly sinkPassword: string,
    private readonly pool: pg.Pool,
  ) {}

  /** Without tables. Its sessions stand in a time zone of their own, since instants must not depend on it. */
  static async create({ postgresUrl }: StackState): Promise<FinanceDatabase> {
    const password = randomBytes(PASSWORD_BYTES).toString('hex');
    const admin = new pg.Client({ connectionString: postgresUrl });
    await admin.connect();
    await admin.query(`CREATE ROLE ${SINK_ROLE} LOGIN PASSWORD '${password}'`);
    await admin.query(`CREATE DATABASE ${NAME}`);
    await admin.query(`ALTER DATABASE ${NAME} SET timezone = 'America/New_York'`);
    await admin.end();
    const url = new URL(postgresUrl);
    url.pathname = NAME;
    const pool = new pg.Pool({ connectionString: url.href, max: 2 });
    // It ends with the stack, which may be first.
    pool.on('error', () => undefined);
    await pool.query(`ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE ON TABLES TO ${SINK_ROLE}`);
    return new FinanceDatabase(url.href, password, pool);
  }

  /** The variables of a worker that the guide names. */
  get environment(): Readonly<Record<string, string>> {
    const { host, pathname } = new URL(this.url);
    return {
      FINANCE_DATABASE_URL: `jdbc:postgresql://${host}${pathname}`,
      FINANCE_DATABASE_USER: SINK_ROLE,
      FINANCE_DATABASE_PASSWORD: this.sinkPassword,
    };
  }

  async rows<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.pool.query<Row>(sql)).rows;
  }

  /** The rows of `revenue.sql`, as psql prints them: every cell is text. */
  async revenue(month: string): Promise<Readonly<Record<string, string>>[]> {
    const psql = findProgram('psql');
    if (psql === undefined) throw new OperatorError('psql is not installed: apt-get install postgresql-client');
    const args = ['-X', '-q', '--csv', '-v', 'ON_ERROR_STOP=1', '-v', `month=${month}-01`];
    const file = ['-f', 'deploy/kafka-connect/revenue.sql'];
    const { stdout } = await run(psql, [this.url, ...args, ...file], { cwd: workspaceRoot, timeout: TIMEOUT_MS });
    const [names = [], ...lines] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    return lines.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
