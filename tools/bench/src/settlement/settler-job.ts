/** The job of a process that runs billing. */
export interface SettlerJob {
  readonly billingUrl: string;
  /** Event store with the accounts and executions: read in place, or already published to Kafka. */
  readonly feederUrl: string;
  readonly kafkaBrokers?: readonly string[];
  /** Consumer groups to run; the others of billing stay away. */
  readonly groups: readonly string[];
}

/** Sent when the consumers have started, and then after every batch. */
export interface BatchHandled {
  readonly group: string;
  readonly events: number;
  /** Milliseconds since the epoch, with fractions. */
  readonly atMs: number;
}
