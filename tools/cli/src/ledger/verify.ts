import { countEntries, verifyLedger, type Finding, type VerifyReport } from '@capability-router/billing/books';
import type { GlobalOptions } from '../admin-api.js';
import { openDeployment, reading, type Deployment, type DeploymentOptions } from '../deployment/deployment.js';
import { leavesBehind, tellingRemains } from '../interruption.js';
import { startProgress } from '../progress.js';
import { CommandError, exitCodes, type Terminal } from '../terminal.js';

export interface VerifyCommandOptions extends DeploymentOptions {
  readonly account?: string;
  readonly fromAccount?: string;
}

/** @throws CommandError where the ledger is not sound */
export async function verify(options: VerifyCommandOptions, global: GlobalOptions, terminal: Terminal): Promise<void> {
  const deployment = await openDeployment(options, ['billing'], terminal);
  let report: VerifyReport;
  try {
    report = await tellingRemains(terminal, () => reading(() => follow(deployment, options, global, terminal)));
  } finally {
    await deployment.close();
  }
  if (global.json === true) terminal.out(JSON.stringify(toJson(report, deployment)));
  else for (const line of describe(report, deployment, options)) terminal.out(line);
  if (!report.sound) {
    throw new CommandError(exitCodes.failed, `the ledger is not sound: ${report.findingCount} finding(s)`);
  }
}

async function follow(
  { pools, topics }: Deployment,
  { account: only, fromAccount: from }: VerifyCommandOptions,
  global: GlobalOptions,
  terminal: Terminal,
): Promise<VerifyReport> {
  const total = global.json === true ? undefined : await countEntries(pools.billing, { only, from });
  const progress = await startProgress(terminal, global, { unit: 'entries', total });
  try {
    return await verifyLedger(pools.billing, {
      topics,
      only,
      from,
      onProgress: ({ accountId, entries }) => {
        // There is nothing to go on with where one account is looked at.
        if (only !== undefined) return progress.report(entries);
        leavesBehind(terminal, `Everything before ${accountId} is done. --from-account ${accountId} goes on there.`);
        progress.report(entries, `--from-account ${accountId}`);
      },
    });
  } finally {
    progress.end();
  }
}

function toJson(report: VerifyReport, { bus }: Deployment): object {
  return {
    sound: report.sound,
    bus,
    accounts: report.accounts,
    entries: report.entries,
    heads: report.heads,
    root:
      report.root === null
        ? null
        : {
            root_seq: Number(report.root.rootSeq),
            ledger_date: report.root.ledgerDate,
            computed_at: report.root.computedAt,
            checked: report.rootChecked,
          },
    topic: report.topic,
    finding_count: report.findingCount,
    findings: report.findings.map(({ kind, accountId, sequence, entryId, detail }) => ({
      kind,
      account_id: accountId,
      sequence,
      entry_id: entryId,
      detail,
    })),
  };
}

function describe(report: VerifyReport, { bus }: Deployment, options: VerifyCommandOptions): string[] {
  return [
    `chains  ${report.accounts} accounts, ${report.entries} entries, recomputed from the beginning`,
    `heads   ${report.heads}, each with its balance`,
    `root    ${describeRoot(report)}`,
    `topic   ${describeTopic(report, bus, options)}`,
    ...report.findings.map(describeFinding),
    ...(report.findingCount > report.findings.length
      ? [`… and ${report.findingCount - report.findings.length} more`]
      : []),
    ...(report.sound ? ['sound'] : []),
  ];
}

function describeRoot({ root, rootChecked }: VerifyReport): string {
  if (root === null) return 'there is none yet: the first comes after the end of the first day';
  const name = `root ${root.rootSeq} of ${root.ledgerDate}, computed ${root.computedAt}`;
  return rootChecked ? name : `${name}: not compared, because not every account was read`;
}

function describeTopic({ topic }: VerifyReport, bus: Deployment['bus'], options: VerifyCommandOptions): string {
  if (topic !== null) {
    const notes = [
      topic.unpublished > 0 ? `${topic.unpublished} entries wait to be published` : '',
      topic.malformed > 0 ? `${topic.malformed} records are no events` : '',
      topic.expired ? 'OLD RECORDS WERE DELETED: entries before them were not compared' : '',
    ].filter(Boolean);
    return [`${topic.records} records, ${topic.roots} roots`, ...notes].join('; ');
  }
  if (bus === 'embedded' && options.topic !== false) {
    return 'there is none apart from the database: what was written anew since the last root cannot be found here';
  }
  return 'left out: what was written anew since the last root was not looked for';
}

function describeFinding({ kind, accountId, sequence, detail }: Finding): string {
  const place = accountId === null ? '' : `${accountId}${sequence === null ? '' : ` entry ${sequence}`}: `;
  return `${kind.toUpperCase()}  ${place}${detail}`;
}
