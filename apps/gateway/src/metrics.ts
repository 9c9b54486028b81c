import { METRICS } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';

@Injectable()
export class GatewayMetrics {
  readonly rateLimited: Counter<'class'>;
  readonly requestsShed: Counter;
  readonly credentialLookups: Counter<'result'>;
  readonly credentialCacheHits: Counter;
  readonly eventsSkipped: Counter<'topic'>;
  readonly upstreamFailures: Counter<'service' | 'kind' | 'written'>;
  readonly securityReportsDropped: Counter;

  constructor(@Inject(METRICS) registry: Registry) {
    const registers = [registry];
    this.rateLimited = new Counter({
      name: 'gateway_rate_limited_total',
      help: 'Requests answered 429 by the gateway.',
      labelNames: ['class'],
      registers,
    });
    this.requestsShed = new Counter({
      name: 'gateway_requests_shed_total',
      help: 'Requests refused because as many as may be were under way.',
      registers,
    });
    this.credentialLookups = new Counter({
      name: 'gateway_credential_lookups_total',
      help: 'Credential checks that were not answered from memory.',
      labelNames: ['result'],
      registers,
    });
    this.credentialCacheHits = new Counter({
      name: 'gateway_credential_cache_hits_total',
      help: 'Credential checks that were answered from memory.',
      registers,
    });
    this.eventsSkipped = new Counter({
      name: 'gateway_events_skipped_total',
      help: 'Events of revoked credentials that this replica could not apply, and does not apply again.',
      labelNames: ['topic'],
      registers,
    });
    this.upstreamFailures = new Counter({
      name: 'gateway_upstream_failures_total',
      help: 'Requests to which a service gave no usable answer; `written` tells whether it may have seen the request.',
      labelNames: ['service', 'kind', 'written'],
      registers,
    });
    this.securityReportsDropped = new Counter({
      name: 'gateway_security_reports_dropped_total',
      help: 'Refused requests and outcomes of changes that are missing in the security log, because too many came in one minute or identity refuses them.',
      registers,
    });
  }
}
