/**
 * Events from all threads. The control thread passes them to the `events` app, if it is configured, and streams them to admin API clients.
 *
 * A failing listener never affects the code that emits an event.
 */
import { randomUUID } from 'node:crypto';
import { reportFault, runGuarded, taskOf, silentLogger, type Logger } from '@sluice/base';
import { token, type EventDeclaration, type Token } from '@sluice/registry';
import { topic, type ThreadBus, type Topic, type Unsubscribe } from '@sluice/threads';

/** Event data by name. It is sent to other threads as JSON. */
export type EventData = Readonly<Record<string, unknown>>;

export interface ServerEvent {
  readonly id: string;
  /** Time of the event, in milliseconds since the Unix epoch. */
  readonly time: number;
  /** Dotted name of the module that emitted the event; empty for the server itself. */
  readonly origin: string;
  /** Event name, such as `unhealthy`. */
  readonly name: string;
  readonly data: EventData;
}

/** Receives an event. The code that emits the event may wait for the returned promise. */
export type EventListener = (event: ServerEvent) => void | Promise<void>;

interface Reported {
  readonly event: ServerEvent;
  /** True if the handlers in the emitting thread have already received the event. */
  readonly handled: boolean;
}

const reported: Topic<Reported> = topic('events');

export function serverEvent(origin: string, name: string, data: EventData = {}): ServerEvent {
  return { id: randomUUID(), time: Date.now(), origin, name, data };
}

/** Event hub of one thread. The hub of the control thread receives the events of all threads. */
export class EventHub {
  readonly #bus: ThreadBus;
  readonly #log: Logger;
  readonly #handlers = new Set<EventListener>();
  readonly #watchers = new Set<EventListener>();
  readonly #closing = new Set<() => void>();
  #closed = false;

  constructor(bus: ThreadBus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
    if (bus.thread !== 0) return;
    bus.onReport(reported, ({ event, handled }) => {
      if (handled) this.publish(event);
      else void this.#take(event);
    });
  }

  /** Emits an event. The promise resolves after this thread's handlers have run, or immediately if there are none. Never rejects. */
  async emit(origin: string, name: string, data: EventData = {}): Promise<void> {
    const event = serverEvent(origin, name, data);
    if (this.#bus.thread === 0) await this.#take(event);
    else this.#report({ event, handled: false });
  }

  emitDeclared<Data extends string>(
    { origin, name }: EventDeclaration<Data>,
    data: Readonly<Record<Data, unknown>>,
  ): Promise<void> {
    return this.emit(origin, name, data);
  }

  /** Passes an event to watchers after its handlers have run. Called by the `events` app. */
  publish(event: ServerEvent): void {
    if (this.#bus.thread !== 0) this.#report({ event, handled: true });
    else for (const watch of this.#watchers) void this.#call(watch, event);
  }

  /** Adds an event handler, such as the active `events` app. Control thread only. */
  handle(listener: EventListener): Unsubscribe {
    this.#handlers.add(listener);
    return () => this.#handlers.delete(listener);
  }

  /** Subscribes to all events. Control thread only. */
  watch(listener: EventListener): Unsubscribe {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Subscribes to the shutdown of the server. */
  onClose(listener: () => void): Unsubscribe {
    this.#closing.add(listener);
    return () => this.#closing.delete(listener);
  }

  /** Ends all event streams. Called once, after the last event. */
  close(): void {
    this.#closed = true;
    for (const listener of this.#closing) runGuarded(taskOf('events'), listener);
  }

  async #take(event: ServerEvent): Promise<void> {
    this.publish(event);
    await Promise.all([...this.#handlers].map((handle) => this.#call(handle, event)));
  }

  async #call(listener: EventListener, event: ServerEvent): Promise<void> {
    try {
      await listener(event);
    } catch (error) {
      this.#log.error('event listener failed', { name: event.name, origin: event.origin, error });
      reportFault({ part: 'task', error, module: 'events', log: silentLogger });
    }
  }

  #report({ event, handled }: Reported): void {
    this.#bus.report(reported, { event: { ...event, data: plainData(event.data) }, handled });
  }
}

/** Returns data that can be sent to another thread. Values that JSON can't represent are omitted. */
function plainData(data: EventData): EventData {
  try {
    return JSON.parse(
      JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ) as EventData;
  } catch {
    return {};
  }
}

/** Event hub of the thread: `context.find(eventHubToken)`. Threads in tests may have none. */
export const eventHubToken: Token<EventHub> = token<EventHub>('event-hub');
