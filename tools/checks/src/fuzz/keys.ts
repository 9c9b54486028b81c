/** The document whose operations are played: that of callers, or that of administrators. */
export type FuzzedDocument = 'public' | 'admin';

/** Keys of accounts that are thrown away with their deployment. */
export interface FuzzKeys {
  /** They are of one account; the administrators' document has `admin`, too, the key of the deployment's operator. */
  readonly byScope: Readonly<Record<string, string>>;
  /** The ids of these keys and accounts, which no request may end or change. */
  readonly ownIds: readonly string[];
}

const scopes = ['call', 'manage', 'read'] as const;
/** No call of the run is refused for want of credits. */
const INITIAL_CREDITS = 1_000_000;

export async function prepareKeys(env: Readonly<Record<string, string>>, document: FuzzedDocument): Promise<FuzzKeys> {
  const account = await admin(env, '/accounts', { kind: 'formal', name: 'fuzzed', initial_credits: INITIAL_CREDITS });
  const byScope: Record<string, string> = {};
  const ownIds: string[] = [];
  for (const scope of scopes) {
    const body = { name: `fuzz ${scope}`, scopes: [scope] };
    const key = await admin(env, `/accounts/${String(account['account_id'])}/api-keys`, body);
    byScope[scope] = String(key['api_key']);
    ownIds.push(String(key['api_key_id']));
  }
  if (document === 'public') return { byScope, ownIds };
  return {
    byScope: { ...byScope, admin: adminKeyOf(env) },
    ownIds: await idsBefore(env),
  };
}

/** The accounts and keys that there are before the run, the operator's among them. */
async function idsBefore(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: unknown = ''; typeof cursor === 'string';) {
    const page = await admin(env, `/accounts?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    for (const { account_id: accountId } of page['items'] as { readonly account_id: string }[]) {
      const { items: keys } = await admin(env, `/accounts/${accountId}/api-keys`);
      ids.push(accountId, ...(keys as { readonly api_key_id: string }[]).map((key) => key.api_key_id));
    }
    cursor = page['next_cursor'];
  }
  return ids;
}

/** Base URLs of the gateway's replicas. */
export function originsOf(env: Readonly<Record<string, string>>): readonly string[] {
  return (env['ACCEPTANCE_BASE_URL'] ?? '').split(',').map((url) => new URL(url).origin);
}

function adminKeyOf(env: Readonly<Record<string, string>>): string {
  const key = env['ACCEPTANCE_ADMIN_KEY'];
  if (key === undefined) throw new Error('the deployment has told no key of its operator');
  return key;
}

async function admin(
  env: Readonly<Record<string, string>>,
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const response = await fetch(new URL(`/admin/v1${path}`, originsOf(env)[0]), {
    headers: { authorization: `Bearer ${adminKeyOf(env)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`/admin/v1${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return (answer['data'] ?? answer) as Record<string, unknown>;
}
