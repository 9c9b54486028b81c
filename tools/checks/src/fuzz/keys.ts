/** A key for each scope of one account that is thrown away with its deployment. */
export interface FuzzKeys {
  readonly byScope: Readonly<Record<string, string>>;
  readonly ownIds: readonly string[];
}

const scopes = ['call', 'manage', 'read'] as const;
/** No call of the run is refused for want of credits. */
const INITIAL_CREDITS = 1_000_000;

export async function prepareKeys(env: Readonly<Record<string, string>>): Promise<FuzzKeys> {
  const account = await admin(env, '/accounts', { kind: 'formal', name: 'fuzzed', initial_credits: INITIAL_CREDITS });
  const byScope: Record<string, string> = {};
  const ownIds: string[] = [];
  for (const scope of scopes) {
    const body = { name: `fuzz ${scope}`, scopes: [scope] };
    const key = await admin(env, `/accounts/${String(account['account_id'])}/api-keys`, body);
    byScope[scope] = String(key['api_key']);
    ownIds.push(String(key['api_key_id']));
  }
  return { byScope, ownIds };
}

/** Base URLs of the gateway's replicas. */
export function originsOf(env: Readonly<Record<string, string>>): readonly string[] {
  return (env['ACCEPTANCE_BASE_URL'] ?? '').split(',').map((url) => new URL(url).origin);
}

async function admin(
  env: Readonly<Record<string, string>>,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const response = await fetch(new URL(`/admin/v1${path}`, originsOf(env)[0]), {
    method: 'POST',
    headers: { authorization: `Bearer ${env['ACCEPTANCE_ADMIN_KEY'] ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`POST /admin/v1${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return (answer['data'] ?? answer) as Record<string, unknown>;
}
