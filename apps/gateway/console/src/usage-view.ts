import { button, element, form, labelled, select, viewHeading, type Child } from './elements.js';
import { objectsOf, textOf, type JsonObject } from './json.js';
import { PAGE_SIZE, pager } from './pager.js';
import { fragmentOf, pageOf } from './place.js';
import { tableOr, type Column } from './table.js';
import { time } from './times.js';
import { usageEventView } from './usage-event-view.js';
import type { View, Visit } from './view.js';

const kinds = [
  ['', 'Everything'],
  ['discover', 'Searches'],
  ['call', 'Calls and queries'],
  ['model', 'Models'],
] as const;
const charges = [
  ['', 'Any charge'],
  ['charged', 'Charged'],
  ['included', 'Included'],
  ['failed_not_charged', 'Failed, not charged'],
  ['failed_charged_review', 'Failed, charged, in review'],
] as const;
const eventTypes: Readonly<Record<string, string>> = {
  search: 'Search',
  search_by_ids: 'Inspect',
  tool_execute: 'Call',
  capabilities_query: 'Query',
  model_call: 'Model',
};

/** Lists what became of each request, a page at a time, or shows one of them with what it cost. */
export const usageView: View = async (visit) => {
  const { api, place } = visit;
  if (place.id !== undefined) return usageEventView(visit);
  const { kind = '', charge_outcome = '', execution_id = '' } = place.query;
  const page = String(pageOf(place.query));
  const query = { kind, charge_outcome, execution_id, page, page_size: String(PAGE_SIZE) };
  const list = await api.read('/auth/usage/history/v2', query);
  return [
    viewHeading('Usage'),
    filters(visit),
    tableOr('There is no usage here yet.', 'Requests, the newest first', columns, objectsOf(list['items'])),
    pager(place, Number(textOf(list['total']))),
  ];
};

const columns: readonly Column<JsonObject>[] = [
  { title: 'Time', cell: linkToEvent },
  { title: 'Kind', cell: (event) => eventTypes[textOf(event['event_type'])] ?? textOf(event['event_type']) },
  { title: 'Tool', cell: subjectOf },
  { title: 'Outcome', cell: (event) => outcomeOf(event) },
  { title: 'Charge', cell: (event) => textOf(event['charge_outcome']).replaceAll('_', ' ') },
  { title: 'Credits', isAmount: true, cell: chargedOf },
];

function linkToEvent(event: JsonObject): Child {
  const href = fragmentOf({ view: 'usage', id: textOf(event['id']), query: {} });
  return element('a', { href }, time(textOf(event['created_at'])));
}

function subjectOf(event: JsonObject): string {
  const subject = textOf(event['tool_id'] ?? event['query'] ?? event['display_target']);
  return subject === '' || subject === event['event_type'] ? '–' : subject;
}

function outcomeOf(event: JsonObject): HTMLElement {
  const outcome = textOf(event['outcome']) || (event['success'] === true ? 'success' : 'failure');
  return element('span', { class: event['success'] === true ? 'good' : 'bad' }, outcome.replaceAll('_', ' '));
}

/** The amount that the ledger took and has not given back; while a call is not settled, the one that was asked for. */
function chargedOf(event: JsonObject): string {
  if (event['billing_snapshot_status'] === 'pending') return `${textOf(event['requested_amount_credits'])} (pending)`;
  return textOf(event['actual_amount_credits']) || '0';
}

function filters({ place, again }: Visit): HTMLElement {
  const kind = select(kinds, place.query['kind']);
  const charge = select(charges, place.query['charge_outcome']);
  const execution = element('input', {
    value: place.query['execution_id'] ?? '',
    spellcheck: 'false',
    maxlength: '70',
  });
  const show = (): void => {
    const query = { kind: kind.value, charge_outcome: charge.value, execution_id: execution.value.trim() };
    const fragment = fragmentOf({ view: 'usage', query });
    if (location.hash === fragment) again();
    else location.hash = fragment;
  };
  return form(
    show,
    element(
      'div',
      { class: 'fields' },
      labelled('Kind', kind),
      labelled('Charge', charge),
      labelled('Execution id', execution),
      button('Show', show, { type: 'submit' }),
    ),
  );
}
