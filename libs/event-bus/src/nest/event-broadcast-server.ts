import type { EventEnvelope } from '@capability-router/contracts';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { BroadcastListener, EventBus } from '../event-bus.js';
import type { BusLogger } from '../logger.js';
import { Idle } from '../shared/idle.js';

export interface EventBroadcastServerOptions {
  bus: Pick<EventBus, 'broadcastListener'>;
  logger: BusLogger;
  /** Called for an event whose handler threw, which is not handled again. */
  onSkipped?: (event: EventEnvelope) => void;
}

/**
 * `listening`: everything that is published from now on will be heard. `reading`: it is heard as it is published, because the
 * consumer group has begun, which takes seconds. The transport's `status` tells both, in this order.
 */
export type BroadcastStatus = 'listening' | 'reading';

/** Milliseconds between attempts to begin listening. */
const RETRY_MS = 1_000;
/** Milliseconds between looks whether what is published is read already. */
const READING_POLL_MS = 50;

/** The Nest transport of `@OnEveryEvent` methods: one listener for all of them. `listen` returns at once and goes on by itself. */
export class EventBroadcastServer
  extends Server<Record<string, never>, BroadcastStatus>
  implements CustomTransportStrategy
{
  override readonly propagatesEventHandlerErrors: boolean = true;
  private readonly handlers = new Map<string, MessageHandler>();
  private readonly idle = new Idle(RETRY_MS);
  private beginning: Promise<void> = Promise.resolve();
  private listener: BroadcastListener | undefined;

  constructor(private readonly options: EventBroadcastServerOptions) {
    super();
  }

  override addHandler(
    topic: unknown,
    handler: MessageHandler,
    _isEventHandler?: boolean,
    extras?: Record<string, unknown>,
  ): void {
    if (extras?.['broadcast'] !== true) {
      throw new Error(`a handler for ${String(topic)} does not hear every event: declare it with @OnEveryEvent`);
    }
    if (this.handlers.has(String(topic))) throw new Error(`two handlers for ${String(topic)}`);
    this.handlers.set(String(topic), handler);
  }

  listen(callback: (error?: unknown) => void): void {
    this.beginning = this.begin();
    callback();
  }

  /** Nothing is heard any more. */
  async close(): Promise<void> {
    this.idle.close();
    await this.beginning;
    await this.listener?.close();
  }

  on(): void {
    throw new Error('this transport has no events of its own: its status tells what it does');
  }

  unwrap<T>(): T {
    return this.options.bus as T;
  }

  private async begin(): Promise<void> {
    while (!this.idle.closed) {
      const listener = this.options.bus.broadcastListener();
      try {
        await listener.listen([...this.handlers.keys()], (event) => void this.handle(event));
        this.listener = listener;
        this._status$.next('listening');
        if (await this.untilReading(listener)) this._status$.next('reading');
        return;
      } catch (error) {
        this.options.logger.warn({ err: error, topics: [...this.handlers.keys()] }, 'cannot listen to events yet');
        await listener.close();
        await this.idle.pause(RETRY_MS);
      }
    }
  }

  /** False: the transport was closed before. */
  private async untilReading(listener: BroadcastListener): Promise<boolean> {
    while (!listener.isReading()) {
      if (this.idle.closed) return false;
      await this.idle.pause(READING_POLL_MS);
    }
    return true;
  }

  private async handle(event: EventEnvelope): Promise<void> {
    try {
      const result: unknown = await this.handlers.get(event.topic)?.(event);
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    } catch (error) {
      this.options.logger.error({ err: error, topic: event.topic, eventId: event.id }, 'an event was not understood');
      this.options.onSkipped?.(event);
    }
  }
}
