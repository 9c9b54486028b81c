import { element, form, labelled } from './elements.js';

const MAX_NAME_LENGTH = '80';

const scopes = [
  ['call', 'find and call tools, which spends credits'],
  ['read', 'read credits, usage and ledger'],
  ['manage', 'make and revoke keys, and manage what else belongs to the account'],
] as const;
const usual: ReadonlySet<string> = new Set(['call', 'read']);

/** The body of the request. */
export interface WantedKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_at?: string;
}

export function keyForm(make: (wanted: WantedKey) => Promise<void>): HTMLFormElement {
  const name = element('input', { required: true, maxlength: MAX_NAME_LENGTH });
  const ends = element('input', { type: 'date' });
  const boxes = scopes.map(([scope, does]) => ({
    scope,
    does,
    box: element('input', { type: 'checkbox', checked: usual.has(scope) }),
  }));
  const submit = element('button', {}, 'Make the key');
  const send = async (): Promise<void> => {
    submit.disabled = true;
    await make({
      name: name.value,
      scopes: boxes.filter(({ box }) => box.checked).map(({ scope }) => scope),
      ...(ends.value === '' ? {} : { expires_at: `${ends.value}T00:00:00Z` }),
    });
    submit.disabled = false;
  };
  return form(
    () => void send(),
    labelled('Name', name, 'By which you tell it from others, such as the program that has it.'),
    element(
      'fieldset',
      {},
      element('legend', {}, 'Scopes'),
      ...boxes.map(({ scope, does, box }) => element('label', { class: 'choice' }, box, ` ${scope}: ${does}`)),
    ),
    labelled(
      'Ends on (optional)',
      ends,
      'It ends when this day begins (UTC). Without it, it lasts as long as the key that you are signed in with.',
    ),
    submit,
  );
}
