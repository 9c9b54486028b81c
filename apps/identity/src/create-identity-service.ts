import { IDENTITY_BODY_LIMIT_BYTES, topicNames } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import {
  closeApp,
  createServiceApp,
  endInTurn,
  openServiceDatabase,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import type { IdentityConfig } from './config.js';
import { refuseOwnIssuer } from './external-issuers/own-issuer.js';
import { IdentityStart } from './identity-start.js';
import { IdentityModule } from './identity.module.js';
import { migrations } from './migrations/index.js';
import { securityLogOutbox } from './security-log/topic/security-log-outbox.js';
import type { TokenSettings } from './signing-keys/token-settings.js';

/** The bodies of OAuth; their reader bounds them. */
const FORM = 'application/x-www-form-urlencoded';

/** Connects to the database; rejects when its schema is not this build's. Nothing runs until `start`. */
export async function createIdentityService(config: IdentityConfig, runtime: ServiceRuntime): Promise<RunningService> {
  const { name, bus } = runtime;
  refuseOwnIssuer(config.externalIssuers, runtime.publicUrl);
  const database = await openServiceDatabase(runtime, config, migrations);
  const app = await createServiceApp(
    IdentityModule,
    { config: { ...config, ...tokenSettingsOf(runtime) }, runtime, database },
    { bodyLimitBytes: IDENTITY_BODY_LIMIT_BYTES, streamedContentTypes: [FORM] },
  );
  bus.publishFrom(database.pool, 'identity', [eventTableSource([topicNames.accounts]), securityLogOutbox]);
  return {
    name,
    fastify: app.getHttpAdapter().getInstance(),
    database: database.health,
    ready: () => database.clock.judge(bus.health()),
    start: () => app.get(IdentityStart).start(),
    stop: () => endInTurn([() => closeApp(app), () => database.dataSource.destroy()]),
  };
}

const tokenSettingsOf = ({ publicUrl, tokens }: ServiceRuntime): TokenSettings => ({
  publicUrl,
  sealingSecrets: tokens.secretsFor('oauth signing keys'),
  deviceSecrets: tokens.secretsFor('oauth device consents'),
});
