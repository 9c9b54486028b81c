/** A paid built-in tool at a fixed price. */
export const PAID_TOOL_ID = 'formula.expression.evaluate.v1';
const CALL_TIMEOUT_MS = 60_000;
const FUNDED_ATTEMPTS = 600;
const FUNDED_PAUSE_MS = 200;
const MORE_TIMEOUT_MS = 180_000;

export interface CallOutcome {
  readonly accountId: string;
  /** Absent where the connection broke. */
  readonly status?: number;
  readonly executionId?: string;
  /** Why it was not run, for people. */
  readonly message?: string;
  /** Why it was not run, for programs. */
  readonly code?: string;
  /** The header: seconds, where there is one. */
  readonly retryAfter?: string;
  readonly success?: boolean;
  readonly listAmountCredits?: number;
}

export interface LoadAccount {
  readonly accountId: string;
  readonly key: string;
}

/** Accounts with credits, by the public admin API. */
export async function openAccounts(
  origin: string,
  adminKey: string,
  count: number,
  credits: number,
): Promise<LoadAccount[]> {
  const open = async (i: number): Promise<LoadAccount> => {
    const account = await post(origin, '/admin/v1/accounts', adminKey, {
      kind: 'formal',
      name: `load ${i}`,
      initial_credits: credits,
    });
    const accountId = String(account['account_id']);
    const key = await post(origin, `/admin/v1/accounts/${accountId}/api-keys`, adminKey, {
      name: 'load',
      scopes: ['call', 'read'],
    });
    const opened = { accountId, key: String(key['api_key']) };
    await untilFunded(origin, opened);
    return opened;
  };
  return Promise.all(Array.from({ length: count }, (_, i) => open(i)));
}

async function post(origin: string, path: string, key: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}

async function untilFunded(origin: string, account: LoadAccount): Promise<void> {
  for (let attempt = 0; attempt < FUNDED_ATTEMPTS; attempt += 1) {
    const answer = await fetch(`${origin}/api/v1/auth/credits`, {
      headers: { authorization: `Bearer ${account.key}` },
    });
    const body = (await answer.json()) as { data?: { remaining_credits: number } };
    if ((body.data?.remaining_credits ?? 0) > 0) return;
    await pause(FUNDED_PAUSE_MS);
  }
  throw new Error(`the credits of ${account.accountId} have not arrived`);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One request at a time per client until told to stop; every outcome is kept, a broken connection too. */
export class Load<Outcome> {
  readonly outcomes: Outcome[] = [];
  private stopped = false;
  private readonly clients: Promise<void>[] = [];

  /** `send` never rejects; `turn` counts the requests of a client. */
  constructor(
    private readonly origins: readonly string[],
    private readonly accounts: readonly LoadAccount[],
    private readonly pauseMs: number,
    private readonly send: (origin: string, account: LoadAccount, turn: number) => Promise<Outcome>,
  ) {}

  start(clients: number): void {
    for (let i = 0; i < clients; i += 1) this.clients.push(this.client(i));
  }

  /** Resolves when `count` of the outcomes from now on are such: how long that takes depends on the machine. */
  async more(count: number, such: (outcome: Outcome) => boolean): Promise<void> {
    const from = this.outcomes.length;
    const deadline = performance.now() + MORE_TIMEOUT_MS;
    for (;;) {
      const found = this.outcomes.slice(from).filter(such).length;
      if (found >= count) return;
      if (performance.now() > deadline) throw new Error(`${found} of ${count} outcomes have come`);
      await pause(100);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async client(index: number): Promise<void> {
    for (let turn = index; !this.stopped; turn += 1) {
      const account = this.accounts[turn % this.accounts.length];
      const origin = this.origins[turn % this.origins.length];
      if (account === undefined || origin === undefined) throw new Error('no account or no gateway to load');
      this.outcomes.push(await this.send(origin, account, turn));
      await pause(this.pauseMs);
    }
  }
}

/** A paid call. */
export async function callOnce(origin: string, account: LoadAccount): Promise<CallOutcome> {
  try {
    const answer = await fetch(`${origin}/api/v1/tools/execute?tool_id=${PAID_TOOL_ID}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ parameters: { expression: '6 * 7' } }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const body = (await answer.json()) as {
      execution_id?: string;
      message?: string;
      code?: string;
      success?: boolean;
      billing?: { list_amount_credits: number };
    };
    const retryAfter = answer.headers.get('retry-after');
    return {
      accountId: account.accountId,
      status: answer.status,
      ...(retryAfter === null ? {} : { retryAfter }),
      ...(body.code === undefined ? {} : { code: body.code }),
      ...(body.execution_id === undefined ? {} : { executionId: body.execution_id }),
      ...(body.message === undefined ? {} : { message: body.message }),
      ...(body.success === undefined ? {} : { success: body.success }),
      ...(body.billing === undefined ? {} : { listAmountCredits: body.billing.list_amount_credits }),
    };
  } catch {
    return { accountId: account.accountId };
  }
}
