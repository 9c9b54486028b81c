import { BooksTask } from './background-checks/books.task.js';
import { PurgeBudgetsTask } from './budgets/purge-budgets.task.js';
import { PurgeAllowancesTask } from './daily-free/purge-allowances.task.js';
import { ErasureTask } from './erasure/erasure.task.js';
import { AnomaliesTask } from './exceptions/anomalies.task.js';
import { ExpiryTask } from './expiry/expiry.task.js';
import { HoldSweepTask } from './holds/hold-sweep.task.js';
import { LedgerRootTask } from './ledger-roots/ledger-root.task.js';
import { PartitionsTask } from './partitions/partitions.task.js';

/** What runs beside requests and events, on every replica. */
export const billingTasks = [
  HoldSweepTask,
  ExpiryTask,
  ErasureTask,
  LedgerRootTask,
  AnomaliesTask,
  BooksTask,
  PartitionsTask,
  PurgeBudgetsTask,
  PurgeAllowancesTask,
];
