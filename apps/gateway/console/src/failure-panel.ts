import { ApiFailure } from './api-failure.js';
import { button, element, facts, type Child } from './elements.js';

const MS_PER_SECOND = 1_000;

const scopeHelp: Readonly<Record<string, string>> = {
  call: 'searches and reads tools',
  read: 'reads credits, usage and the ledger',
  manage: 'lists, makes, rotates and revokes keys',
};

/** Says what failed, where, and what to do next. `again`: repeats what failed, where that may help. */
export function failurePanel(error: unknown, again?: () => void): HTMLElement {
  const failure =
    error instanceof ApiFailure ? error : new ApiFailure(`The page failed: ${String(error)}`, { status: 0 });
  const { status, code = '', nextStep = '', scope, faults = [], retryAfterSeconds = 0, requestId = '' } = failure.told;
  const parts: Child[] = [element('p', { class: 'failure-message' }, failure.message)];
  if (faults.length > 0) {
    parts.push(
      element(
        'ul',
        {},
        ...faults.map(({ field, message }) =>
          element('li', {}, element('code', {}, field === '' ? 'request' : field), ` ${message}`),
        ),
      ),
    );
  }
  parts.push(element('p', {}, scope === undefined ? nextStep : scopeAdvice(scope)));
  if (retryAfterSeconds > 0)
    parts.push(element('p', {}, `The router asks to wait ${retryAfterSeconds} s (Retry-After).`));
  if (again !== undefined && mayPass(status)) parts.push(retry(again, retryAfterSeconds));
  parts.push(facts(['Status', status === 0 ? '' : String(status)], ['Code', code], ['Request', requestId]));
  return element('div', { class: 'failure', role: 'alert', tabindex: '-1' }, ...parts);
}

/** Whether the same request may succeed later. */
const mayPass = (status: number): boolean => status === 0 || status === 408 || status === 429 || status >= 500;

function scopeAdvice(scope: string): string {
  const does = scopeHelp[scope];
  const why = does === undefined ? '' : `, which ${does}`;
  const manage =
    scope === 'manage'
      ? ''
      : ' A key with the scope "manage" can make one under Keys, with the scopes that it has itself.';
  return `Sign in with a key that has the scope "${scope}"${why}.${manage} The operator of this router can give it to any key.`;
}

/** The button waits for as long as the router asks. */
function retry(again: () => void, retryAfterSeconds: number): HTMLElement {
  const repeat = button('Try again', again);
  if (retryAfterSeconds <= 0) return repeat;
  repeat.disabled = true;
  const untilMs = Date.now() + retryAfterSeconds * MS_PER_SECOND;
  const count = (): void => {
    const leftMs = untilMs - Date.now();
    if (leftMs > 0) {
      repeat.textContent = `Try again in ${Math.ceil(leftMs / MS_PER_SECOND)} s`;
      setTimeout(count, Math.min(leftMs, MS_PER_SECOND));
      return;
    }
    repeat.textContent = 'Try again';
    repeat.disabled = false;
  };
  count();
  return repeat;
}
