import { credits } from './amounts.js';
import { ApiFailure } from './api-failure.js';
import { element, facts, viewHeading, wholeRecord, type Child } from './elements.js';
import { objectOf, objectsOf, printed, textOf, type JsonObject } from './json.js';
import { ledgerTable } from './ledger-table.js';
import type { View, Visit } from './view.js';
import { time } from './times.js';

/** Entries of the ledger that are looked through for refunds and corrections: as many as one request gives. */
const MAX_ENTRIES = '500';
const LEDGER_PATH = '/auth/credits/ledger';

/** One request: what it was, what became of it, and the ledger entries that belong to it. */
export const usageEventView: View = async (visit) => {
  const event = await visit.api.read(`/auth/usage/history/v2/${encodeURIComponent(visit.place.id ?? '')}`);
  const { entries, isWhole } = await entriesOf(visit, event);
  return [
    viewHeading(textOf(event['tool_id'] ?? event['display_target']) || 'Request'),
    element('p', {}, element('a', { href: '#usage' }, 'All usage')),
    facts(...factsOf(event)),
    element('h2', {}, 'Ledger entries'),
    ledgerTable('Ledger entries of this request', entries, 'The ledger has no entry for this request.'),
    ...(isWhole ? [] : [element('p', { class: 'hint' }, notWhole)]),
    wholeRecord(printed(event)),
  ];
};

const notWhole =
  'The account has more entries since then than are looked through here. The charge, where there is one yet, is among these in any case; a refund or a correction may be missing.';

function factsOf(event: JsonObject): (readonly [string, Child])[] {
  const text = (member: string): string => textOf(event[member]);
  const key = objectOf(event['api_key']);
  return [
    ['Time', time(text('created_at'))],
    ['Kind', text('event_type')],
    ['Asked for', text('query')],
    ['Outcome', text('outcome')],
    ['Reason', text('reason_code')],
    ['Message', text('outcome_message') || text('error_message')],
    ['Charge', text('charge_outcome').replaceAll('_', ' ')],
    ['Bill', text('billing_summary')],
    ['Requested', credits(text('requested_amount_credits'))],
    ['Settled', credits(text('settled_amount_credits'))],
    ['After refunds', isGivenBack(event) ? credits(text('actual_amount_credits')) : ''],
    ['Settlement', text('billing_snapshot_status').replaceAll('_', ' ')],
    ['Took', text('duration_ms') === '' ? '' : `${text('duration_ms')} ms`],
    ['Key', [textOf(key['name']), textOf(key['masked_value'])].filter((part) => part !== '').join(' ')],
    ['Model', text('model')],
    ['Execution', code(text('execution_id'))],
    ['Search', code(text('search_id'))],
    ['Session', text('session_id')],
    ['Trace', code(text('trace_id'))],
  ];
}

const isGivenBack = (event: JsonObject): boolean =>
  textOf(event['actual_amount_credits']) !== textOf(event['settled_amount_credits']);

const code = (text: string): Child => (text === '' ? '' : element('code', {}, text));

interface Entries {
  readonly entries: readonly JsonObject[];
  /** No other entry of this request can be there. */
  readonly isWhole: boolean;
}

/**
 * The entry of the charge is known by its id. Others, such as a refund, name the same execution, and are looked for among
 * the newest since then: the ledger finds nothing by an execution.
 */
async function entriesOf({ api }: Visit, event: JsonObject): Promise<Entries> {
  const since = textOf(event['effective_at']);
  const list = await api.read(LEDGER_PATH, { start_date: since, page_size: MAX_ENTRIES });
  const listed = objectsOf(list['items']);
  const own = listed.filter((entry) => belongs(entry, event));
  const chargeId = textOf(event['credits_ledger_entry_id']);
  const isListed = chargeId === '' || own.some((entry) => entry['id'] === chargeId);
  const charge = isListed ? [] : await chargeOf(api, chargeId);
  return { entries: [...own, ...charge], isWhole: Number(textOf(list['total'])) <= listed.length };
}

/** Nothing where the entry is not there. */
async function chargeOf(api: Visit['api'], id: string): Promise<JsonObject[]> {
  try {
    return [await api.read(`${LEDGER_PATH}/${encodeURIComponent(id)}`)];
  } catch (error) {
    if (error instanceof ApiFailure && error.told.status === 404) return [];
    throw error;
  }
}

function belongs(entry: JsonObject, event: JsonObject): boolean {
  const reference = textOf(event['source_ref_id']);
  const execution = textOf(event['execution_id']);
  const { charge_ref_id, charge_entry_id } = objectOf(entry['ledger_metadata']);
  const named = [entry['execution_id'], entry['source_ref_id'], charge_ref_id].map(textOf);
  const byCharge = textOf(charge_entry_id);
  if (byCharge !== '' && byCharge === textOf(event['credits_ledger_entry_id'])) return true;
  return named.some((name) => name !== '' && (name === reference || name === execution));
}
