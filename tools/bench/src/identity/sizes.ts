/** How much is measured. */
export interface IdentitySizes {
  /** Keys of the account that has many. */
  readonly manyKeys: number;
  /** Look-ups from memory in one round. */
  readonly cached: number;
  readonly rounds: number;
  /** Credentials that are shown to the gateway for the first time. */
  readonly cold: number;
  /** Seconds of one round of registrations. */
  readonly registrationSeconds: number;
  /** Trials whose code is guessed, each by all clients at once. */
  readonly guessed: number;
  /** Credentials of each kind that are revoked. */
  readonly revoked: number;
  /** Keys that are revoked while the broker is down. */
  readonly revokedWithoutBroker: number;
}

export const fullSizes: IdentitySizes = {
  manyKeys: 10_000,
  cached: 200_000,
  rounds: 5,
  cold: 400,
  registrationSeconds: 10,
  guessed: 10,
  revoked: 40,
  revokedWithoutBroker: 10,
};

/** To see that it runs; its figures say nothing. */
export const quickSizes: IdentitySizes = {
  manyKeys: 1_000,
  cached: 20_000,
  rounds: 2,
  cold: 40,
  registrationSeconds: 2,
  guessed: 2,
  revoked: 4,
  revokedWithoutBroker: 2,
};
