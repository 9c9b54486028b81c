import { ApiFailure } from './api-failure.js';
import { confirmed } from './confirm.js';
import { button, element, labelled, select, viewHeading, type Child } from './elements.js';
import { objectOf, objectsOf, textOf, textsOf, type JsonObject } from './json.js';
import { keyForm, type WantedKey } from './key-form.js';
import { KeyOutcome } from './key-outcome.js';
import { fragmentOf } from './place.js';
import { tableOr, type Column } from './table.js';
import { time } from './times.js';
import type { View, Visit } from './view.js';

const KEYS_PATH = '/auth/api-keys';
const PAGE_SIZE = '25';

const overlaps = [
  ['86400', 'A day'],
  ['3600', 'An hour'],
  ['0', 'Not at all: it ends at once'],
] as const;

/** The keys of the account, a page at a time, and what can be done with them. */
export const keysView: View = async (visit) => {
  const { before = '' } = visit.place.query;
  const list = await visit.api.read(KEYS_PATH, { limit: PAGE_SIZE, before });
  const outcome = new KeyOutcome();
  const { notice = '' } = visit.memory;
  delete visit.memory.notice;
  const next = textOf(list['next_before']);
  return [
    viewHeading('Keys'),
    notice === '' ? '' : element('p', { role: 'status' }, notice),
    outcome.element,
    tableOr('There is no older key.', 'Keys, the newest first', columnsOf(visit, outcome), objectsOf(list['items'])),
    element(
      'nav',
      { class: 'pager', 'aria-label': 'Pages' },
      before === '' ? '' : element('a', { href: '#keys' }, 'Newest'),
      next === '' ? '' : element('a', { href: fragmentOf({ view: 'keys', query: { before: next } }) }, 'Older'),
    ),
    element('h2', {}, 'Make a key'),
    keyForm(async (wanted) => {
      const tells = element('p', {}, makingTells(wanted));
      if (!(await confirmed(`Make the key "${wanted.name}"?`, 'Make', tells))) return;
      await act(visit, outcome, () => visit.api.post(KEYS_PATH, wanted));
    }),
  ];
};

function columnsOf(visit: Visit, outcome: KeyOutcome): readonly Column<JsonObject>[] {
  return [
    { title: 'Name', cell: (key) => textOf(key['name']) },
    { title: 'Key', cell: (key) => element('code', {}, textOf(key['masked_value'])) },
    { title: 'Scopes', cell: (key) => textsOf(key['scopes']).join(', ') },
    { title: 'Made', cell: (key) => time(textOf(key['created_at'])) },
    { title: 'Last used', cell: (key) => timeOr(key, 'last_used_at', 'never') },
    { title: 'Ends', cell: (key) => (isRevoked(key) ? 'revoked' : timeOr(key, 'expires_at', 'not by itself')) },
    { title: 'Actions', cell: (key) => actionsOf(visit, outcome, key) },
  ];
}

const isRevoked = (key: JsonObject): boolean => textOf(key['revoked_at']) !== '';

function timeOr(key: JsonObject, member: string, absent: string): Child {
  const told = textOf(key[member]);
  return told === '' ? absent : time(told);
}

function actionsOf(visit: Visit, outcome: KeyOutcome, key: JsonObject): Child {
  if (isRevoked(key)) return '–';
  const [id, name] = [textOf(key['api_key_id']), textOf(key['name'])];
  const path = `${KEYS_PATH}/${encodeURIComponent(id)}`;
  const revoke = async (): Promise<void> => {
    if (!(await confirmed(`Revoke the key "${name}"?`, 'Revoke', ...revocationTells(key)))) return;
    await act(visit, outcome, () => visit.api.delete(path));
  };
  const rotate = async (): Promise<void> => {
    const overlap = select(overlaps);
    const field = labelled('How long the old key goes on', overlap);
    if (!(await confirmed(`Rotate the key "${name}"?`, 'Rotate', element('p', {}, rotationTells), field))) return;
    await act(visit, outcome, () => visit.api.post(`${path}:rotate`, { overlap_seconds: Number(overlap.value) }));
  };
  return element(
    'span',
    { class: 'actions' },
    button('Rotate', () => void rotate(), { class: 'plain', 'aria-label': `Rotate ${name}` }),
    button('Revoke', () => void revoke(), { class: 'danger', 'aria-label': `Revoke ${name}` }),
  );
}

const makingTells = ({ scopes, expires_at }: WantedKey): string =>
  `Whoever has it acts for this account, with the scopes ${scopes.join(', ') || '(none)'}${expires_at === undefined ? '' : `, until ${expires_at}`}. It is shown once.`;

const rotationTells =
  'A new key with the same name, scopes and limits is made and shown once. The old one ends after the time below. If it is the key that you are signed in with, you are signed out then.';

const revocationTells = (key: JsonObject): Child[] => [
  element('p', {}, element('code', {}, textOf(key['masked_value']))),
  element(
    'p',
    {},
    'Whatever uses it is refused from then on. This cannot be undone. If it is the key that you are signed in with, you are signed out.',
  ),
];

/** Changes something once. A new key stands above the list until it is put away; then, as after a revocation, the list is read anew. */
async function act(visit: Visit, outcome: KeyOutcome, change: () => Promise<JsonObject>): Promise<void> {
  try {
    const changed = objectOf((await change())['data']);
    const { memory } = visit;
    if (changed['pending'] === true) memory.notice = stillPending;
    if (textOf(changed['api_key']) !== '') outcome.show(changed, visit.again);
    else if (outcome.hasUnread) outcome.tell('Done. The list is read anew when the new key is put away.');
    else visit.again();
  } catch (error) {
    if (error instanceof ApiFailure && error.told.status === 401) visit.signOut(error.message);
    else outcome.fail(error);
  }
}

const stillPending =
  'It is done, and not every part of the router has heard of it yet: the old key may work for another 30 s.';
