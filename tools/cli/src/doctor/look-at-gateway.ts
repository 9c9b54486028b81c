import { performance } from 'node:perf_hooks';
import { isObject, objectIn, type Data, type Gateway } from '../gateway/gateway.js';
import { clockFinding } from './look-at-clock.js';
import { failed, lookAt, ok, skipped, warning, type Finding } from './finding.js';

/**
 * Asks for what can only be learned through the gateway; `administration` is the same with a key of an administrator, where
 * there is one apart. What a key may not ask stands in the security log, so each is asked with no more than it is for: a
 * key that reads the books of an account is none of an administrator. Never rejects.
 */
export async function lookAtGateway(gateway: Gateway, administration?: Gateway): Promise<Finding[]> {
  const [ready, { finding, readsBooks }] = await Promise.all([readiness(gateway), keyOf(gateway)]);
  const asking = administration ?? (readsBooks ? undefined : gateway);
  return [...ready, finding, asking === undefined ? notOfAdministrator : await providersOf(asking)];
}

const notOfAdministrator = skipped(
  'providers',
  'they are left out: this key is not that of an administrator',
  'Give a key of scope "admin" to see them.',
);

async function readiness(gateway: Gateway): Promise<Finding[]> {
  const advice = 'Start the gateway, or name the right one: --gateway, CAPROUTER_GATEWAY_URL or caprouter login.';
  const findings: Finding[] = [];
  const finding = await lookAt(
    'gateway',
    async () => {
      const askedMs = Date.now();
      const startedMs = performance.now();
      const { response, text } = await gateway.send('GET', '/readyz');
      const tookMs = Math.round(performance.now() - startedMs);
      const theirMs = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(theirMs)) findings.push(clockFinding('clock gateway', theirMs, askedMs, Date.now()));
      const answer = objectIn(text);
      if (answer?.['status'] === 'ready') return ok('gateway', `${gateway.url} is ready, and answered in ${tookMs} ms`);
      if (answer?.['status'] !== 'not_ready') throw gateway.noGateway(response.status);
      return failed(
        'gateway',
        `${gateway.url} is not ready: ${JSON.stringify(answer['detail'])}`,
        'What it names is not reached: mend that part; the gateway needs no restart.',
      );
    },
    advice,
  );
  return [finding, ...findings];
}

/** `readsBooks`: false where the gateway knows the key and it may not. */
async function keyOf(gateway: Gateway): Promise<{ readonly finding: Finding; readonly readsBooks: boolean }> {
  let readsBooks = true;
  const finding = await lookAt(
    'key',
    async () => {
      const { response, answer } = await gateway.exchange('GET', '/api/v1/auth/credits');
      const data = dataOf(answer);
      if (response.ok) return ok('key', `the gateway knows it: ${String(data['remaining_credits'])} credits`);
      // A key for administration has no scope for an account's books, and is good all the same.
      if (response.status === 403) {
        readsBooks = false;
        return ok('key', `the gateway knows it: ${String(answer['message'])}`);
      }
      const advice =
        response.status === 401
          ? 'Give one that is in use: caprouter login, or CAPROUTER_API_KEY.'
          : 'Look at the gateway, and at identity and billing, which it asked.';
      return failed('key', `${String(answer['message'])} (${response.status})`, advice);
    },
    'Look at the gateway first.',
  );
  return { finding, readsBooks };
}

const providersOf = (gateway: Gateway): Promise<Finding> =>
  lookAt(
    'providers',
    async () => {
      const { response, answer } = await gateway.exchange('GET', '/admin/v1/provider-breakers');
      if (response.status === 401 || response.status === 403) return notOfAdministrator;
      if (!response.ok)
        return failed('providers', `${String(answer['message'])} (${response.status})`, 'Look at execution.');
      const items = dataOf(answer)['items'];
      const troubled = (Array.isArray(items) ? items : []).filter(isObject);
      if (troubled.length === 0) return ok('providers', 'none is left alone by the replica that answered');
      const names = troubled.map((each) => `${String(each['provider_id'])} (${String(each['breaker'])})`).join(', ');
      return warning(
        'providers',
        `calls of these failed lately, so that they are left alone for now: ${names}`,
        'Ask the provider, or retire its tools; calls begin again by themselves once one serves (docs/guides/providers.md).',
      );
    },
    'Look at the gateway and execution first.',
  );

const dataOf = (answer: Data): Data => (isObject(answer['data']) ? answer['data'] : {});
