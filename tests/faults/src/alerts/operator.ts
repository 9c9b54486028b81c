import { expect } from '@jest/globals';
import { booksEnvironment } from '@capability-router/tools-stack';
import { caprouter } from '../caprouter.js';
import { pause } from '../load.js';
import type { Stand } from '../stand.js';

type Json = Readonly<Record<string, unknown>>;

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly found: string;
}

/** Milliseconds. */
const OVER_WITHIN_MS = 120_000;
const POLL_MS = 500;

/** Somebody who follows a runbook, with the settings of the services and a key of an administrator. */
export class Operator {
  private readonly env: Readonly<Record<string, string>>;

  constructor(private readonly stand: Stand) {
    this.env = {
      ...booksEnvironment(stand.stack),
      // A rebuild of a projection makes tables.
      BILLING_DATABASE_OWNER_URL: stand.stack.databases.billing.ownerUrl,
      CAPROUTER_GATEWAY_URL: stand.origin,
      CAPROUTER_API_KEY: stand.services.accounts.admin_key,
    };
  }

  /** Resolves to what `caprouter --json …` prints. */
  run(...args: readonly string[]): Promise<Json> {
    return caprouter(args, this.env);
  }

  /** The lines of `caprouter doctor` of these checks, such as `kafka`, each as its state and what it found. */
  async doctor(...checks: readonly string[]): Promise<string[]> {
    const { findings } = (await this.run('doctor')) as { findings?: readonly Finding[] };
    const lines = (findings ?? []).filter(({ check }) => checks.length === 0 || checks.includes(check));
    return lines.map(({ state, check, found }) => `${state} ${check}: ${found}`);
  }

  /** Resolves when `caprouter doctor` finds nothing that failed, and `caprouter reconcile` nothing that differs. */
  async untilOver(): Promise<void> {
    const deadline = performance.now() + OVER_WITHIN_MS;
    for (;;) {
      const failed = (await this.doctor()).filter((line) => line.startsWith('failed'));
      const { differences } = await this.run('reconcile', '--from', new Date(this.stand.sinceMs).toISOString());
      if (failed.length === 0 && Array.isArray(differences) && differences.length === 0) return;
      if (performance.now() > deadline) expect({ failed, differences }).toEqual({ failed: [], differences: [] });
      await pause(POLL_MS);
    }
  }
}
