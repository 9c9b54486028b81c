import { cpus, loadavg, totalmem } from 'node:os';

const BYTES_PER_GIGABYTE = 1_024 ** 3;

/** One line about where figures come from. `versions`: of the servers that took part. */
export function machineLine(versions: readonly string[]): string {
  const [first] = cpus();
  const memory = (totalmem() / BYTES_PER_GIGABYTE).toFixed(0);
  const parts = [
    `${cpus().length} cores (${first?.model.trim() ?? 'unknown'})`,
    `${memory} GB memory`,
    `Linux, Node ${process.versions.node}`,
    ...versions,
    `load average at the start ${(loadavg()[0] ?? 0).toFixed(1)}`,
  ];
  return parts.join(', ');
}
