import { formatCredits, type Credits } from '@capability-router/kernel';
import type { GlobalOptions } from '../admin-api.js';
import { openDeployment, reading, type DeploymentOptions } from '../deployment/deployment.js';
import { startProgress } from '../progress.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';
import { reconcile, type ReconcileProgress, type ReconcileReport } from './reconcile.js';
import { isCharge, type Total, type TypeTotals } from './totals.js';

interface Options extends DeploymentOptions {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** @throws CommandError where the sources differ */
export async function runReconcile(options: Options, global: GlobalOptions, terminal: Terminal): Promise<void> {
  const deployment = await openDeployment(options, ['billing', 'execution', 'registry'], terminal);
  const progress = await startProgress(terminal, global, { unit: 'records' });
  let report: ReconcileReport;
  try {
    report = await reading(() =>
      reconcile({
        pools: deployment.pools,
        topics: deployment.topics,
        compareTopic: options.topic !== false,
        fromMs: options.fromMs,
        toMs: options.toMs,
        onProgress: (reached) => progress.report(reached.records, noteOf(reached)),
      }),
    );
  } finally {
    progress.end();
    await deployment.close();
  }
  if (report.fromMs !== undefined && report.fromMs >= report.toMs) {
    const upTo = `the settlement watermark stands at ${iso(report.watermarkMs)}`;
    throw new CommandError(exitCodes.usage, `nothing of the window is settled yet: ${upTo}`);
  }
  const { bus } = deployment;
  if (global.json === true) terminal.out(JSON.stringify(toJson(report, bus)));
  else for (const line of describe(report, bus)) terminal.out(line);
  if (!report.equal) {
    throw new CommandError(exitCodes.failed, `the sources differ: ${report.differenceCount} difference(s)`);
  }
}

const noteOf = ({ source, compared }: ReconcileProgress): string =>
  compared === undefined ? `reading: ${source}` : `compared: ${compared}`;

const iso = (ms: number): string => new Date(ms).toISOString();

function toJson(report: ReconcileReport, bus: string): object {
  const total = ({ count, amount }: Total): object => ({ count, amount_micro_credits: amount.toString() });
  return {
    equal: report.equal,
    bus,
    from: report.fromMs === undefined ? null : iso(report.fromMs),
    to: iso(report.toMs),
    settlement_watermark: iso(report.watermarkMs),
    topic_compared: report.topic,
    topic_expired: report.topicExpired,
    executions: {
      ended: report.totals.ended,
      settled: report.totals.settled,
      uncollected: report.totals.uncollected,
      covered_by_daily_free: report.totals.covered,
    },
    entry_types: Object.fromEntries(
      report.totals.byType().map(([entryType, totals]) => [
        entryType,
        {
          ledger: total(totals.ledger),
          topic: report.topic ? total(totals.topic) : null,
          audit: isCharge(entryType) ? total(totals.audit) : null,
          executions: isCharge(entryType) ? total(totals.executions) : null,
        },
      ]),
    ),
    difference_count: report.differenceCount,
    differences: report.differences.map(({ kind, id, accountId, detail }) => ({
      kind,
      id,
      account_id: accountId,
      detail,
    })),
  };
}

function describe(report: ReconcileReport, bus: string): string[] {
  const { totals } = report;
  const window = `${report.fromMs === undefined ? 'the beginning' : iso(report.fromMs)} to ${iso(report.toMs)}`;
  return [
    `window      ${window} (settlement watermark ${iso(report.watermarkMs)})`,
    `executions  ${totals.ended} ended, ${totals.settled} settled, ${totals.uncollected} uncollected, ${totals.covered} covered by the daily allowance; billed searches and imported calls included`,
    ...totals.byType().map(([entryType, each]) => describeType(entryType, each, report.topic)),
    ...(report.topic
      ? []
      : [`topic       ${bus === 'embedded' ? 'there is none apart from the database' : 'left out'}`]),
    ...(report.topicExpired
      ? ['topic       OLD RECORDS WERE DELETED: give --from, or what they held counts as not published']
      : []),
    ...report.differences.map(
      ({ kind, id, accountId, detail }) => `DIFFERS  ${kind}  ${id} of ${accountId}: ${detail}`,
    ),
    ...(report.differenceCount > report.differences.length
      ? [`… and ${report.differenceCount - report.differences.length} more`]
      : []),
    ...(report.equal ? ['equal'] : []),
  ];
}

function describeType(entryType: string, totals: TypeTotals, topic: boolean): string {
  const text = (name: string, { count, amount }: Total): string =>
    `${name} ${count} = ${formatCredits(amount as Credits)}`;
  const parts = [
    text('ledger', totals.ledger),
    ...(topic ? [text('topic', totals.topic)] : []),
    ...(isCharge(entryType) ? [text('audit', totals.audit), text('executions', totals.executions)] : []),
  ];
  return `${entryType}  ${parts.join(', ')} credits`;
}
