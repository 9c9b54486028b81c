import type { ProjectionVersion } from '../usage-audit/projection-versions.js';
import type { MakeGauge } from './make-gauge.js';

/** Gauges of the versions at which projections are written and were built. */
export function projectionGauges(gauge: MakeGauge): { show(versions: readonly ProjectionVersion[]): void } {
  const codeVersion = gauge(
    'projection_code_version',
    'Version of a projection that this replica writes.',
    'projection',
  );
  const liveVersion = gauge(
    'projection_live_version',
    'Version at which the rows of a projection were built last. Below the code version, it waits for a rebuild.',
    'projection',
  );
  return {
    show(versions) {
      for (const { projection, code, live } of versions) {
        codeVersion.set({ projection }, code);
        liveVersion.set({ projection }, live);
      }
    },
  };
}
