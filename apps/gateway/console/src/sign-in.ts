import { ApiFailure } from './api-failure.js';
import { Api } from './api.js';
import { element, form, labelled, viewHeading } from './elements.js';
import { failurePanel } from './failure-panel.js';

const MAX_KEY_LENGTH = '4096';

/** A header takes no other characters, and neither a key nor a token has any. */
const fitsHeader = /^[\x21-\x7e]+$/;

/** Asks for a key. `enter` is given what it opens; `reason` says why it is asked for again. */
export function signIn(enter: (api: Api) => void, reason = ''): HTMLElement {
  const key = element('input', {
    type: 'password',
    required: true,
    maxlength: MAX_KEY_LENGTH,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
  });
  const submit = element('button', {}, 'Sign in');
  const problem = element('div', {});
  if (reason !== '')
    problem.append(
      element('p', { class: 'failure', role: 'alert' }, `${reason.replace(/\.?$/, '.')} Paste a key that is valid.`),
    );
  const tell = (failure: unknown): void => {
    problem.replaceChildren(failurePanel(failure));
    key.setAttribute('aria-invalid', 'true');
    key.focus();
  };
  const send = async (): Promise<void> => {
    const text = key.value.trim();
    if (!fitsHeader.test(text)) return tell(notAKey());
    submit.disabled = true;
    const api = new Api(text);
    try {
      await api.read('/auth/credits');
      enter(api);
    } catch (error) {
      // A key that may not read credits is a key all the same: each view says which scope it needs.
      if (error instanceof ApiFailure && error.told.status === 403) enter(api);
      else tell(inWordsOfTheForm(error));
    } finally {
      submit.disabled = false;
    }
  };
  const hint =
    'It stays in this page, which stores it nowhere and forgets it when you reload, close or sign out. If your browser offers to save it, say no.';
  return element(
    'main',
    {},
    viewHeading('Console'),
    element(
      'p',
      {},
      'See what agents did with your account, and what it cost. Sign in with an API key of the account.',
    ),
    problem,
    form(() => void send(), labelled('API key', key, hint), submit),
  );
}

const nextStep = 'Paste the whole key, which begins with "sk-".';
const notAKey = (): ApiFailure => new ApiFailure('This is no API key.', { status: 0, nextStep });

/** The interface tells a program which header to send. */
function inWordsOfTheForm(error: unknown): unknown {
  const isRefused = error instanceof ApiFailure && error.told.status === 401;
  return isRefused ? new ApiFailure(error.message, { ...error.told, nextStep }) : error;
}
