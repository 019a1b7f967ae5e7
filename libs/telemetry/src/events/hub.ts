/**
 * What happens in the server, from every thread. The control thread hands it to the app `events`, if there is one, and
 * shows it to clients of the admin API. Who emits is never harmed by who listens.
 */
import { randomUUID } from 'node:crypto';
import { reportFault, runGuarded, taskOf, silentLogger, type Logger } from '@sluice/base';
import { token, type EventDeclaration, type Token } from '@sluice/registry';
import { topic, type ThreadBus, type Topic, type Unsubscribe } from '@sluice/threads';

/** Facts of an event, by name. What goes to another thread goes as JSON. */
export type EventData = Readonly<Record<string, unknown>>;

/** Something that happened. */
export interface ServerEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Dotted name of the module it came from; empty for the server itself. */
  readonly origin: string;
  /** What happened, such as `unhealthy`. */
  readonly name: string;
  readonly data: EventData;
}

/** Takes an event; a promise is waited for by emitters that care. */
export type EventListener = (event: ServerEvent) => void | Promise<void>;

interface Reported {
  readonly event: ServerEvent;
  /** Whether handlers have had it already, in the thread where it happened. */
  readonly handled: boolean;
}

const reported: Topic<Reported> = topic('events');

/** Makes an event of now. */
export function serverEvent(origin: string, name: string, data: EventData = {}): ServerEvent {
  return { id: randomUUID(), time: Date.now(), origin, name, data };
}

/** The events of one thread; in the control thread, those of all. */
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

  /**
   * Tells that something happened. The promise resolves when the handlers are done, if they are of this thread, and at
   * once if not; it never rejects.
   */
  async emit(origin: string, name: string, data: EventData = {}): Promise<void> {
    const event = serverEvent(origin, name, data);
    if (this.#bus.thread === 0) await this.#take(event);
    else this.#report({ event, handled: false });
  }

  /** Emits an event that is declared, with all of its facts. */
  tell<Data extends string>(
    { origin, name }: EventDeclaration<Data>,
    data: Readonly<Record<Data, unknown>>,
  ): Promise<void> {
    return this.emit(origin, name, data);
  }

  /** Shows an event to watchers; its handlers have had it. Called by the app `events`. */
  publish(event: ServerEvent): void {
    if (this.#bus.thread !== 0) this.#report({ event, handled: true });
    else for (const watch of this.#watchers) void this.#call(watch, event);
  }

  /** Control only: sets the handler of events, such as the app `events` in force. */
  handle(listener: EventListener): Unsubscribe {
    this.#handlers.add(listener);
    return () => this.#handlers.delete(listener);
  }

  /** Control only: shows all events to a receiver. */
  watch(listener: EventListener): Unsubscribe {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  /** Whether the server is about to end. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Calls back when the server is about to end. */
  onClose(listener: () => void): Unsubscribe {
    this.#closing.add(listener);
    return () => this.#closing.delete(listener);
  }

  /** No more events will come: streams of them end. Called once, after the last event. */
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

/** Data that can go to another thread: what JSON cannot say is left out. */
function plainData(data: EventData): EventData {
  try {
    return JSON.parse(
      JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ) as EventData;
  } catch {
    return {};
  }
}

/** The hub of the thread: `context.find(eventHubToken)`; threads of tests may have none. */
export const eventHubToken: Token<EventHub> = token<EventHub>('event-hub');
