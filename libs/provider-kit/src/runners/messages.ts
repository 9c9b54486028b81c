/**
 * The messages between a service and a runner process. A runner does one thing at a time, so nothing is numbered; texts
 * cross as JSON, which is copied once and never cloned member by member.
 */

/** Given to a runner when it is started, as its one argument. */
export interface RunnerSettings {
  /** File URL of a module that exports `openTasks`. */
  readonly tasksUrl: string;
  /** Handed to `openTasks` as it is; plain JSON. */
  readonly settings: object;
  /** Process id of the service: a runner that has lost it ends. */
  readonly serviceId: number;
}

/** A runner can do these tasks; `openTasks(settings)` of its module makes them, once in its life. */
export interface Tasks {
  /**
   * Loads what tasks of this kind need. Time and faults of it are the service's. Answers the milliseconds that a task of
   * this kind may take; undefined where only its call has a limit.
   */
  prepare(kind: string): Promise<number | undefined>;
  /** `task` and the answer are JSON or whatever text the module and its user agree on. */
  run(kind: string, task: string): Promise<string>;
}

export type OpenTasks = (settings: object) => Promise<Tasks>;

export type ToRunner =
  | { readonly do: 'prepare'; readonly kind: string }
  | { readonly do: 'run'; readonly kind: string; readonly task: string };

/** A runner has used this since it was started, and has this now. */
export interface RunnerUsage {
  /** Microseconds of CPU, all threads of the process. */
  readonly cpuUs: number;
  /** Bytes of resident memory. */
  readonly residentBytes: number;
}

export type FromRunner =
  | { readonly said: 'ready' }
  | ({ readonly said: 'prepared'; readonly limitMs?: number } & RunnerUsage)
  | ({ readonly said: 'answered'; readonly answer: string } & RunnerUsage)
  /** The task threw: a bug of the module or a part that is missing. The text is for the operator, never for a caller. */
  | { readonly said: 'failed'; readonly detail: string };
