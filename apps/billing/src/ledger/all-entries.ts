import { columnsOf, publicEventSchemas, topicNames } from '@capability-router/contracts';
import type { StoredEvent } from '@capability-router/event-store';
import { csvHead, textCell } from '../csv-export/csv-cells.js';

/** The members of an entry on the topic, by the columns that files and tables of the topic have. */
const columns = publicEventSchemas.filter(({ topic }) => topic === topicNames.ledgerEntries).flatMap(columnsOf);
const names = [...columns.map(({ name }) => name), 'cursor'];

/** A line of JSON for each entry: the record of the topic, and the `cursor` behind which the next page begins. */
export const linesOfEntries = (events: readonly StoredEvent[]): string =>
  events.map(({ data, position }) => `${JSON.stringify({ ...data, cursor: position })}\n`).join('');

/** The same as CSV, with a head. */
export const csvOfEntries = (events: readonly StoredEvent[]): string =>
  csvHead(names) + events.map((event) => `${cellsOf(event).join(',')}\r\n`).join('');

function cellsOf({ data, position }: StoredEvent): string[] {
  const cells = columns.map(({ member }) => {
    const value = data[member];
    if (value === undefined || value === null) return '';
    return textCell(typeof value === 'string' ? value : JSON.stringify(value));
  });
  return [...cells, position];
}
