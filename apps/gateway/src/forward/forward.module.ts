import { Module } from '@nestjs/common';
import { Forwarding } from './forwarding.js';
import { StreamForwarding } from './stream-forwarding.js';
import { UpstreamFailures } from './upstream-failures.js';

/** One request to the service of its route, and its answer back. */
@Module({ providers: [Forwarding, StreamForwarding, UpstreamFailures], exports: [Forwarding, StreamForwarding] })
export class ForwardModule {}
