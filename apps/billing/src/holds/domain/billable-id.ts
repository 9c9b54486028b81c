import { isSearchId, type ExecutionId, type SearchId } from '@capability-router/kernel';

/**
 * Names what credits are held and charged for: an execution, or a search where the deployment bills searches. The
 * columns named `execution_id` of `holds` and `settlement_exceptions` hold either; their prefixes differ.
 */
export type BillableId = ExecutionId | SearchId;

export const isBilledSearch = (id: string): id is SearchId => isSearchId(id);
