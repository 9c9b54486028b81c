import { element, type Child } from './elements.js';
import { objectOf, textOf, type JsonObject } from './json.js';
import { fragmentOf } from './place.js';
import { tableOr, type Column } from './table.js';
import { time } from './times.js';

const columns: readonly Column<JsonObject>[] = [
  { title: 'Time', cell: (entry) => time(textOf(entry['created_at'])) },
  { title: 'Type', cell: (entry) => textOf(entry['entry_type']).replaceAll('_', ' ') },
  { title: 'Credits', isAmount: true, cell: (entry) => textOf(entry['amount_credits']) },
  { title: 'Balance after', isAmount: true, cell: balanceAfter },
  { title: 'Description', cell: (entry) => textOf(entry['description']) },
  { title: 'Request', cell: linkToUsage },
];

export const ledgerTable = (caption: string, entries: readonly JsonObject[], nothing: string): HTMLElement =>
  tableOr(nothing, caption, columns, entries);

function balanceAfter(entry: JsonObject): string {
  return textOf(objectOf(entry['balance_after'])['total_available_credits']);
}

/** A refund names the execution whose charge it gives back. */
function linkToUsage(entry: JsonObject): Child {
  const { charge_ref_type, charge_ref_id } = objectOf(entry['ledger_metadata']);
  const execution = textOf(entry['execution_id'] ?? (charge_ref_type === 'execution' ? charge_ref_id : ''));
  if (execution === '') return '–';
  return element('a', { href: fragmentOf({ view: 'usage', query: { execution_id: execution } }) }, 'Usage');
}
