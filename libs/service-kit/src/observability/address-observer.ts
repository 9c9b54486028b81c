import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { AddressObserver } from '../clients/addresses/service-address.js';

/** Shows what becomes of the addresses of other services, in the log and as metrics. Call it once per registry. */
export function addressObserver(registry: Registry, logger: Logger): AddressObserver {
  const registers = [registry];
  const ejections = new Counter({
    name: 'service_address_ejections_total',
    help: 'Times that an address of another service was left out: refused, not_ready, silent, or not_ours.',
    labelNames: ['peer', 'reason'],
    registers,
  });
  const out = new Gauge({
    name: 'service_addresses_out',
    help: 'Addresses of another service that are left out now.',
    labelNames: ['peer'],
    registers,
  });
  return {
    ejected(peer, url, reason) {
      ejections.inc({ peer, reason });
      out.inc({ peer });
      logger.warn({ peer, url, reason }, 'an address of a service is left out');
    },
    readmitted(peer, url) {
      out.dec({ peer });
      logger.info({ peer, url }, 'an address of a service is used again');
    },
    left(peer, url) {
      out.dec({ peer });
      logger.info({ peer, url }, 'an address that was left out is no address of the service any more');
    },
  };
}
