import { DiscoveryService } from '@nestjs/core';

/** `Task` is the class whose method is decorated. */
export interface PeriodicOptions<Task> {
  /** The name of the work in the log and in the metrics, e.g. `hold sweep`; one name for one task of a service. */
  readonly name: string;
  /** Milliseconds from the end of a round to the next at most, or how the instance tells them. */
  readonly everyMs: number | ((task: Task) => number);
  /** Whether the first round comes when the service starts; after one interval where absent. */
  readonly atStart?: boolean;
}

export const periodicMetadata = DiscoveryService.createDecorator<PeriodicOptions<unknown>>();

/**
 * Has the method of a provider called again and again while the service runs. Rounds of a task never overlap; one that
 * throws is logged, and the next comes all the same. Every replica runs every task.
 */
export function Periodic<Task>(options: PeriodicOptions<Task>) {
  return <Work extends () => Promise<unknown>>(
    target: Task & object,
    key: string,
    descriptor: TypedPropertyDescriptor<Work>,
  ): void => {
    void periodicMetadata(options as PeriodicOptions<unknown>)(target, key, descriptor);
  };
}
