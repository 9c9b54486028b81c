import {
  createMetrics,
  generateInternalKeys,
  HoldReleases,
  InternalTokens,
  HoldClient,
} from '@capability-router/service-kit';
import { createHttpClients } from '@capability-router/service-kit/http-clients';
import { systemClock } from '@capability-router/kernel';
import { JsonataPool, JsonPathPool, type ProviderAdapter } from '@capability-router/provider-kit';
import { ParameterValidator } from '@capability-router/tool-calls';
import { pino } from 'pino';
import { Admission } from '../call/admission/admit-call.js';
import { PlanAdmission } from '../call/admission/admit-plan.js';
import { AvailableCredits } from '../call/admission/available-credits.js';
import { Hedges } from '../call/admission/hedges.js';
import { PlannedTools } from '../call/admission/planned-tools.js';
import { SignInCheck } from '../call/admission/sign-in-check.js';
import { FinishCall } from '../call/answer/finish-call.js';
import { AttemptDispatch } from '../call/dispatch/attempt-dispatch.js';
import { ExecuteTool } from '../call/execute-tool.js';
import { BeginExecution } from '../call/hold/begin-execution.js';
import { EndRecorder } from '../call/hold/end-recorder.js';
import { ExecutionHolds } from '../call/hold/execution-holds.js';
import { ExecutionJournal } from '../call/journal/execution-journal.js';
import { OwnerLease } from '../call/journal/owner-lease.js';
import { UncertainStarts } from '../call/journal/uncertain-starts.js';
import { AttemptOutcome } from '../call/outcome/attempt-outcome.js';
import { RunAttempts } from '../call/run-attempts.js';
import { CredentialStore } from '../credentials/credential-store.js';
import { parseSealingKeys } from '../credentials/sealing/sealing-keys.js';
import { MemoryResultCache } from '../provider-cache/memory-result-cache.js';
import { ResultShaper } from '../result-shaping/result-shaper.js';
import { ToolDirectory } from '../tool-copies/tool-directory.js';
import { startBillingStandIn, type BillingStandIn } from './billing-stand-in.js';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.js';

/** The pipeline of a call without its service, for plans that no route makes. */
export interface OpenPipeline {
  readonly database: ScratchDatabase;
  readonly billing: BillingStandIn;
  readonly executeTool: ExecuteTool;
  readonly lease: OwnerLease;
  close(): Promise<void>;
}

/** `reached`: hears of every point of a call at which a fault may strike. */
export async function openPipeline(provider: ProviderAdapter, reached: (point: string) => void): Promise<OpenPipeline> {
  const database = await createScratchDatabase();
  const billing = await startBillingStandIn(10_000_000n);
  const { signingKeys, jwks } = generateInternalKeys();
  const keys = { service: 'execution', signingKey: signingKeys.execution, jwks, clock: systemClock } as const;
  const http = createHttpClients(
    (name) => (name === 'billing' ? [billing.url] : undefined),
    await InternalTokens.create(keys),
  );
  const client = http.clients.billing;
  const { pool } = database;
  const logger = pino({ level: 'silent' });
  const config = { faults: { reached }, holdTimeoutMs: 20_000, leaseMs: 600_000, hedgePercent: 0 };
  const credentials = new CredentialStore(pool, systemClock, {
    credentialKeys: parseSealingKeys(`k1:${'a1'.repeat(32)}`),
  });
  const jsonPaths = new JsonPathPool();
  const expressions = new JsonataPool();
  const cached = new MemoryResultCache({ maxEntries: 1, maxBytes: 1, maxEntryBytes: 1 }, systemClock);
  const shaper = new ResultShaper(
    { save: () => Promise.reject(new Error('no result of these tests is kept')) },
    jsonPaths,
    { resultLinkKey: Buffer.from('k'.repeat(32)), resultStore: { lifetimeMs: 1 } },
    'https://tools.example.com',
    systemClock,
    logger,
  );
  const journal = new ExecutionJournal(pool, systemClock);
  const lease = new OwnerLease(pool, systemClock, logger, config);
  const releases = new HoldReleases(client, logger);
  const uncertain = new UncertainStarts(journal, releases, systemClock, logger);
  const available = new AvailableCredits(client);
  const ends = new EndRecorder(journal, releases, systemClock, logger);
  const holds = new ExecutionHolds(new HoldClient(client), config);
  const [tools, validator, signIn] = [new ToolDirectory(pool), new ParameterValidator(), new SignInCheck(credentials)];
  const hedges = new Hedges(config, createMetrics());
  const planned = new PlannedTools(tools);
  const executeTool = new ExecuteTool(
    new Admission(tools, validator, signIn, available),
    new PlanAdmission(planned, validator, signIn, hedges),
    new BeginExecution(journal, lease, uncertain, available, holds, ends, systemClock, config, logger),
    new RunAttempts(
      new AttemptDispatch(provider, { cache: cached }, credentials, lease, journal, systemClock, logger),
      new AttemptOutcome(jsonPaths, expressions),
      hedges,
      planned,
      systemClock,
      config,
    ),
    new FinishCall(journal, ends, uncertain, shaper, systemClock, config, logger),
    systemClock,
  );
  await lease.start();
  return {
    database,
    billing,
    executeTool,
    lease,
    async close() {
      await lease.stop();
      await jsonPaths.close();
      await expressions.close();
      await http.close();
      await billing.close();
      await database.drop();
    },
  };
}
