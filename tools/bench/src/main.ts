/**
 * `npm run bench [-- part ...] [--stack]`: measures and writes `docs/performance.md`. Parts: gateway-hop, mcp-hop, request-log (only where it is named; it writes nothing), client-cost,
 * call-cost (only where it is named, on a real stack of its own: it writes `tools/bench/data/call-cost.json`, from which `npm run capacity` reckons), calls,
 * trace-cost, queries, builtin-calls, provider-calls, settlement, holds, identity, routing, search-http, catalogue-import, start-up; all where none is named, and history and
 * identity where they are named. `--stack` measures calls and settlement on a real stack as well, and settlement-lag, which needs one; identity has one of its own. `provider-calls --quick`, `identity --quick` and `history
 * --rows=100000` try those parts with small numbers and write nothing. start-up also clones and installs the commit that is
 * checked out (`--baseline=<revision>`: and another beside it; `--quick`: in one round, and nothing is written).
 */
import { measureCalls } from './accounted-calls/measure-calls.js';
import { withStack } from './accounted-calls/on-stack.js';
import { withStandalone, type StandaloneTarget } from './accounted-calls/on-standalone.js';
import { builtinCallsSection } from './builtin-calls/builtin-calls-section.js';
import { measureBuiltinCalls } from './builtin-calls/measure-builtin-calls.js';
import { measureQueries } from './capability-queries/measure-queries.js';
import { queriesSection } from './capability-queries/queries-section.js';
import { measureCallCost } from './call-cost/measure-call-cost.js';
import { writeCallCost } from './call-cost/call-cost-file.js';
import { catalogueImportSection } from './catalogue-import/catalogue-import-section.js';
import { measureCatalogueImport } from './catalogue-import/measure-catalogue-import.js';
import { clientCostSection } from './client-cost/client-cost-section.js';
import { measureClientCost } from './client-cost/measure-client-cost.js';
import { measureGatewayHop } from './gateway-hop/measure-gateway-hop.js';
import { historySection } from './history/history-section.js';
import { measureHistory } from './history/measure-history.js';
import { FULL_ROWS } from './history/sizes.js';
import { holdsSection } from './holds/holds-section.js';
import { measureHolds } from './holds/measure-holds.js';
import { identitySection } from './identity/identity-section.js';
import { measureIdentity } from './identity/measure-identity.js';
import { fullSizes as fullIdentitySizes, quickSizes as quickIdentitySizes } from './identity/sizes.js';
import { machineLine } from './machine/machine.js';
import { mcpHopSection } from './mcp-hop/mcp-hop-section.js';
import { measureMcpHop } from './mcp-hop/measure-mcp-hop.js';
import { measureProviderCalls } from './provider-calls/measure-provider-calls.js';
import { providerCallsSection } from './provider-calls/provider-calls-section.js';
import { fullSizes, quickSizes } from './provider-calls/sizes.js';
import { writeSection, type SectionName } from './report/performance-document.js';
import { callsSection, gatewayHopSection, settlementSection, startUpSection } from './report/sections.js';
import { measureRequestLog } from './request-log/measure-request-log.js';
import { measureFailing, measureMarket } from './routing/market/measure-market.js';
import { writeMarket } from './routing/market/write-market.js';
import { measureDecisions } from './routing/measure-decisions.js';
import { routingSection } from './routing/routing-section.js';
import { importLargeCatalogue, untilIdle } from './search-http/large-catalogue.js';
import { measureSearchHttp, openSearchers } from './search-http/measure-search-http.js';
import { searchHttpSection } from './search-http/search-http-section.js';
import { withEmbeddedSite } from './settlement/embedded-site.js';
import { measureSettlement } from './settlement/measure-settlement.js';
import { withStackSite } from './settlement/stack-site.js';
import { measureSettlementLag } from './settlement-lag/measure-settlement-lag.js';
import { settlementLagSection } from './settlement-lag/settlement-lag-section.js';
import { freshCloneSection } from './start-up/fresh-clone-section.js';
import { measureFreshClones } from './start-up/measure-fresh-clone.js';
import { measureStartUp } from './start-up/measure-start-up.js';
import { measureTraceCost } from './trace-cost/measure-trace-cost.js';
import { traceCostSection } from './trace-cost/trace-cost-section.js';

/** As many as the design speaks of. */
const LARGE_CATALOGUE_TOOLS = 100_000;

const FRESH_CLONE_ROUNDS = 3;

/** As many as the design speaks of. */
const IMPORTED_TOOLS = 100_000;

const log = (line: string): void => console.log(line);

async function report(name: SectionName, machine: string, text: string): Promise<void> {
  await writeSection(name, machine, text);
  log(`\n${machine}\n\n${text}\n`);
}

interface Options {
  readonly stack: boolean;
  readonly quick: boolean;
  /** Rows of the history; as many as the design names where absent. */
  readonly rows?: number;
  /** A revision to measure beside the commit that is checked out. */
  readonly baseline?: string;
}

const parts: Readonly<Record<string, (options: Options) => Promise<void>>> = {
  'gateway-hop': async () => {
    const machine = machineLine([]);
    await report('gateway-hop', machine, gatewayHopSection(await measureGatewayHop(log)));
  },
  'mcp-hop': async () => {
    const machine = machineLine([]);
    await report('mcp-hop', machine, mcpHopSection(await measureMcpHop()));
  },
  'client-cost': async () => {
    const machine = machineLine([]);
    await report('client-cost', machine, clientCostSection(await measureClientCost(log)));
  },
  'request-log': async () => {
    for (const { gateway, perSecond, cpuMicroseconds, addedMicroseconds } of await measureRequestLog(log))
      log(
        `${gateway} the log: ${perSecond.toFixed(0)}/s, ${cpuMicroseconds.toFixed(0)} µs of CPU a request, ${addedMicroseconds.toFixed(0)} µs beyond none`,
      );
  },
  calls: async ({ stack }) => {
    await withStandalone(async (target) => {
      const machine = machineLine(target.versions);
      await report('calls-standalone', machine, callsSection('Standalone', await measureCalls(target, log)));
    });
    if (!stack) return;
    await withStack(async (target) => {
      const machine = machineLine(target.versions);
      await report(
        'calls-stack',
        machine,
        callsSection('One process of each service', await measureCalls(target, log)),
      );
    });
  },
  'trace-cost': async () => {
    const result = await measureTraceCost(log);
    await report('trace-cost', result.machine, traceCostSection(result));
  },
  'call-cost': async () => {
    await writeCallCost(await measureCallCost(log));
  },
  queries: async () => {
    await withStandalone(async (target) => {
      const machine = machineLine(target.versions);
      await report('queries', machine, queriesSection(await measureQueries(target, log)));
    });
  },
  'builtin-calls': async () => {
    const machine = machineLine([]);
    await report('builtin-calls', machine, builtinCallsSection(await measureBuiltinCalls(log)));
  },
  'provider-calls': async ({ quick }) => {
    const sizes = quick ? quickSizes : fullSizes;
    const work = async (target: StandaloneTarget): Promise<void> => {
      const machine = machineLine(target.versions);
      const text = providerCallsSection(await measureProviderCalls(target, sizes, log));
      if (quick) log(`\nNot written, as the numbers were small:\n\n${text}\n`);
      else await report('provider-calls', machine, text);
    };
    await withStandalone(work, { tellsLiveHeap: true });
  },
  settlement: async ({ stack }) => {
    await withEmbeddedSite(async (site, version) => {
      const machine = machineLine([version]);
      const text = settlementSection('One process of billing on the embedded bus', await measureSettlement(site, log));
      await report('settlement-standalone', machine, text);
    });
    if (!stack) return;
    await withStackSite(async (site, versions) => {
      const machine = machineLine(versions);
      const where = `${site.processes} processes of billing on Kafka (24 partitions)`;
      await report('settlement-stack', machine, settlementSection(where, await measureSettlement(site, log)));
    });
  },
  'settlement-lag': async ({ stack }) => {
    if (!stack) {
      log('settlement-lag is measured on a real stack only: add --stack');
      return;
    }
    const { result, versions } = await measureSettlementLag(log);
    await report('settlement-lag', machineLine(versions), settlementLagSection(result));
  },
  holds: async () => {
    await withEmbeddedSite(async (site, version) => {
      const machine = machineLine([version]);
      await report('holds', machine, holdsSection(await measureHolds(site, log)));
    });
  },
  identity: async ({ quick }) => {
    const { result, versions } = await measureIdentity(quick ? quickIdentitySizes : fullIdentitySizes, log);
    const text = identitySection(result);
    if (quick) log(`\nNot written, as the numbers were small:\n\n${text}\n`);
    else await report('identity', machineLine(versions), text);
  },
  routing: async () => {
    const machine = machineLine([]);
    await report('routing', machine, routingSection(measureDecisions(log)));
    await writeMarket(measureMarket(log), measureFailing());
  },
  history: async ({ rows = FULL_ROWS }) => {
    const { result, versions } = await measureHistory(rows, log);
    const machine = machineLine(versions);
    const text = historySection(result);
    if (rows < FULL_ROWS) log(`\nNot written, as the history was short:\n\n${text}\n`);
    else await report('history', machine, text);
  },
  'search-http': async () => {
    await withStandalone(async (target) => {
      const machine = machineLine(target.versions);
      const keys = await openSearchers(target);
      const small = await measureSearchHttp(target, keys, log);
      const imported = await importLargeCatalogue(
        { origin: target.origin, key: target.adminKey },
        LARGE_CATALOGUE_TOOLS,
      );
      log(`${LARGE_CATALOGUE_TOOLS} tools imported in ${imported.importSeconds.toFixed(0)} s`);
      await untilIdle(() => target.cpu());
      const large = await measureSearchHttp(target, keys, log);
      await report('search-http', machine, searchHttpSection({ small, large, tools: LARGE_CATALOGUE_TOOLS, imported }));
    });
  },
  'catalogue-import': async () => {
    const machine = machineLine([]);
    await report(
      'catalogue-import',
      machine,
      catalogueImportSection(await measureCatalogueImport(IMPORTED_TOOLS, log)),
    );
  },
  'start-up': async ({ quick, baseline }) => {
    const machine = machineLine([]);
    const revisions = [...(baseline === undefined ? [] : [baseline]), 'HEAD'];
    const clones = freshCloneSection(await measureFreshClones(revisions, quick ? 1 : FRESH_CLONE_ROUNDS, log));
    if (quick) {
      log(`\nNot written, as it was one round:\n\n${clones}\n`);
      return;
    }
    await report('fresh-clone', machine, clones);
    await report('start-up', machine, startUpSection(await measureStartUp(log)));
  },
};

const flags = ['--stack', '--quick'];
const rowsOption = /^--rows=([1-9]\d{3,8})$/;
const rows = process.argv.flatMap((argument) => rowsOption.exec(argument)?.[1] ?? []).map(Number)[0];
const baselineOption = /^--baseline=(\w[\w./^~-]*)$/;
const baseline = process.argv.flatMap((argument) => baselineOption.exec(argument)?.[1] ?? [])[0];
const isOption = (argument: string): boolean =>
  flags.includes(argument) || rowsOption.test(argument) || baselineOption.test(argument);
const wanted = process.argv.slice(2).filter((argument) => !isOption(argument));
const options: Options = {
  stack: process.argv.includes('--stack'),
  quick: process.argv.includes('--quick'),
  ...(rows === undefined ? {} : { rows }),
  ...(baseline === undefined ? {} : { baseline }),
};
/** The history takes half an hour and tens of gigabytes, call-cost and identity need a real stack, request-log writes nothing. */
const onlyIfNamed = ['call-cost', 'history', 'identity', 'request-log'];
const unknown = wanted.filter((name) => parts[name] === undefined);
if (unknown.length > 0) {
  console.error(
    `unknown: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}; options: ${flags.join(', ')}, --rows=N (of the history, from 1,000), --baseline=REVISION (of start-up)`,
  );
  process.exit(1);
}
if (options.quick && !['provider-calls', 'identity', 'start-up'].includes(wanted.join())) {
  console.error('--quick is for provider-calls, identity or start-up alone: npm run bench -- provider-calls --quick');
  process.exit(1);
}
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.includes(name) || (wanted.length === 0 && !onlyIfNamed.includes(name))) await measure(options);
}
