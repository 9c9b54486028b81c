import { isDeepStrictEqual } from 'node:util';
import { PermanentError } from '../shared/errors.js';
import type { SharedSubscription } from '../event-bus.js';
import type { EventBatchOptions } from './on-event-batch.js';

/** Settings that do not change the meaning of a group's handlers. */
export type GroupSettings = Pick<EventBatchOptions, 'maxBatch' | 'lanes' | 'lingerMs'>;

type Handle = SharedSubscription['handle'];

interface Group {
  readonly options: EventBatchOptions;
  readonly handlers: Map<string, Handle>;
}

/** The handlers of an application by consumer group and topic. */
export class EventGroups {
  private readonly groups = new Map<string, Group>();

  /** Throws where the group has another handler for the topic, or other options than at another handler. */
  add(topic: string, extras: Record<string, unknown>, handle: Handle): void {
    if (typeof extras['group'] !== 'string') {
      throw new Error(`a handler for ${topic} names no consumer group: declare it with @OnEventBatch`);
    }
    const options = extras as unknown as EventBatchOptions;
    const group = this.groups.get(options.group) ?? { options, handlers: new Map<string, Handle>() };
    if (!isDeepStrictEqual(group.options, options)) {
      throw new Error(`the handlers of group ${options.group} name different options`);
    }
    if (group.handlers.has(topic)) throw new Error(`two handlers of group ${options.group} for ${topic}`);
    group.handlers.set(topic, handle);
    this.groups.set(options.group, group);
  }

  /** Throws where `settings` name a group that has no handler. */
  subscriptions(settings: Readonly<Record<string, GroupSettings>>): SharedSubscription[] {
    const unknown = Object.keys(settings).filter((group) => !this.groups.has(group));
    if (unknown.length > 0) throw new Error(`settings name groups without a handler: ${unknown.join(', ')}`);
    return [...this.groups].map(([name, { options, handlers }]) => ({
      ...options,
      ...settings[name],
      topics: [...handlers.keys()],
      handle: async (events, tx) => {
        const topic = events[0]?.topic ?? '';
        const handle = handlers.get(topic);
        if (handle === undefined) throw new PermanentError(`group ${name} has no handler for topic "${topic}"`);
        await handle(events, tx);
      },
    }));
  }
}
