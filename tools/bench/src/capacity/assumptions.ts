/**
 * The estimate takes these as given, where nothing was measured: properties of the machines that somebody else will have.
 * `npm run capacity` prints all of them.
 */
export const assumptions = {
  /** The share of a processor that is planned to be used: the rest is for peaks, restarts and the loss of a replica. */
  utilisation: 0.6,
  /** Processors of the machine of a PostgreSQL primary. */
  databaseCores: 32,
  /** Bytes a second of write-ahead log that a primary's disk takes, with its replicas behind it. */
  walBytesPerSecond: 200_000_000,
  /** Bytes a second that one broker writes. */
  brokerBytesPerSecond: 100_000_000,
  /** Copies of every record on the brokers. */
  replicationFactor: 3,
  /** The share of a broker's disk that is used. */
  diskUse: 0.7,
  /** Bytes that a replica may grow beyond what it had after the measured calls. */
  memoryReserveBytes: 256 * 1_024 ** 2,
} as const;

export type Assumptions = { readonly [K in keyof typeof assumptions]: number };
