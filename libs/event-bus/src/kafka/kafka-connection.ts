/** How the brokers are reached, whatever client does it. PEM texts and secrets are asked for again with each connection. */
export interface KafkaConnection {
  readonly brokers: readonly string[];
  /** Absent: in the clear. */
  readonly tls?: KafkaTls;
  /** Absent: without a user. */
  readonly login?: KafkaLogin;
}

/** PEM. Each may throw, which fails the connection and not the process. */
export interface KafkaTls {
  /** Who signed the certificates of the brokers; absent: one of those that Node knows. */
  ca?(): string;
  /** The certificate of this client, and its key. */
  cert?(): string;
  key?(): string;
}

export type KafkaLogin =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      password(): string;
    }
  | {
      readonly mechanism: 'oauthbearer';
      /** Not expired; whoever gives it keeps it as long as it is good. Rejects with an error named `LoginRefused` where nobody gives one. */
      token(): Promise<string>;
    };
