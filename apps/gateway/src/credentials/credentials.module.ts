import { Module } from '@nestjs/common';
import { STEADY_MS } from '../tokens.js';
import { ClockProbe } from './clock-probe.js';
import { CredentialChecks } from './credential-checks.js';
import { CredentialDirectory } from './credential-directory.js';
import { IdentityClock } from './identity-clock.js';
import { ReplicaLease } from './replica-lease.js';
import { RevocationFeed } from './revocation-feed.js';

/** Whose a credential is, and how long what is known of it holds. */
@Module({
  controllers: [RevocationFeed],
  providers: [
    { provide: STEADY_MS, useValue: () => performance.now() },
    IdentityClock,
    ClockProbe,
    ReplicaLease,
    CredentialChecks,
    CredentialDirectory,
  ],
  exports: [CredentialDirectory],
})
export class CredentialsModule {}
