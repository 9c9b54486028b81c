type ByName = Readonly<Record<string, number>>;

/** The bytes that something adds to a database. */
export interface Growth {
  readonly heapBytes: number;
  readonly indexBytes: number;
}

/** The cost of one paid call, and of one account, as it was measured: `data/call-cost.json`, which `npm run capacity` reads. */
export interface CallCost {
  readonly measuredOn: string;
  readonly machine: string;
  readonly calls: number;
  readonly connections: number;
  readonly accounts: number;
  /** Added by one call. */
  readonly perCall: {
    /** Growth of each service's database. */
    readonly databases: Readonly<Record<string, Growth>>;
    /** The share that each database has of the time in which sessions of all of them worked. */
    readonly activeShare: ByName;
    /** Records of the write-ahead log, by database; `commits` are those that change no block of one. */
    readonly walRecordBytes: ByName;
    /** Images of pages in the write-ahead log. They depend on how long ago the last checkpoint was. */
    readonly walPageImageBytes: number;
    /** Bytes on the disk of one broker, before replication, by topic. */
    readonly topicBytes: ByName;
  };
  /** Added by one account with a key and its first credits. */
  readonly perAccount: {
    readonly databases: Readonly<Record<string, Growth>>;
    readonly topicBytes: ByName;
  };
  /** Resident bytes of one process of each after the calls. */
  readonly memoryBytes: ByName;
}
