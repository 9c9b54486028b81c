import { credits, exact, text, timestamp } from '../csv-export/csv-export.js';

export const ledgerColumns = [
  exact('id', 'e.entry_id'),
  exact('entry_type', 'e.entry_type'),
  credits('amount_credits', 'e.amount_micro'),
  credits('balance_before', 'e.balance_before_micro'),
  credits('balance_after', 'e.balance_after_micro'),
  exact('source_system', 'e.source_system'),
  exact('source_ref_type', 'e.source_ref_type'),
  text('source_ref_id', 'e.source_ref_id'),
  exact('execution_id', 'e.execution_id'),
  text('description', 'e.description'),
  timestamp('created_at', 'e.created_at'),
];
