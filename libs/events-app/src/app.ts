/** The app `events`: modules emit events, handlers that are subscribed to them run in the emitter's flow. */
import {
  appToken,
  apps,
  defineModule,
  inlineModules,
  list,
  messageOf,
  namespace,
  options,
  strings,
  type AppToken,
  type Context,
  type JsonArray,
  type Logger,
  type Namespace,
} from '@sluice/registry';
import { Event, isAborted } from './event.ts';

/** Handles events. May add to their data, and may raise an `AbortedError`; other errors are logged. */
export interface EventHandler {
  handle(event: Event): void | Promise<void>;
}

/** `events.handlers`: inline key `handler`. */
export const eventHandlers: Namespace<EventHandler> = namespace<EventHandler>('events.handlers');

/** What a handler is subscribed to. Nothing named: everything. */
export interface Subscription {
  readonly events: readonly string[];
  /** Origins; one covers those below it: `tls` also `tls.issuance.acme`. */
  readonly modules: readonly string[];
  readonly handlers: readonly EventHandler[];
}

/** What other modules see of the app. */
export interface EventsApp {
  /** Subscribes handlers. Only while modules are provisioned: later it is an error. */
  subscribe(subscription: Subscription): void;
  /** Runs the subscribed handlers and gives the event back, aborted or not. Never rejects. */
  emit(origin: string, name: string, data?: Readonly<Record<string, unknown>>): Promise<Event>;
}

/** The token of the app. */
export const eventsApp: AppToken<EventsApp> = appToken<EventsApp>('events');

/** Longest that a handler is waited for, in milliseconds; one that hangs must not harm the emitter. */
const patience = 30_000;

/** The app as a module. */
export const eventsAppModule = defineModule(apps, {
  name: 'events',
  help: 'Events of the server and their handlers. Experimental in the reference.',
  config: options({
    subscriptions: list(
      'Who handles which events.',
      options({
        events: strings('Names of events. None: all.'),
        modules: strings('Origins, each with all below it. None: all.'),
        handlers: inlineModules('Handlers.', eventHandlers, 'handler'),
      }),
    ),
  }),
  async provision(config, context: Context): Promise<EventsApp> {
    const events = new Events(context.log);
    for (const [i, subscription] of (config.subscriptions ?? []).entries()) {
      const handlers = await context.loadInlineList(
        eventHandlers,
        (subscription.handlers ?? []) as JsonArray,
        'handler',
        'subscriptions',
        i,
        'handlers',
      );
      events.subscribe({ events: subscription.events ?? [], modules: subscription.modules ?? [], handlers });
    }
    context.onStart(() => events.close());
    return events;
  },
});

/** Handlers by origin, then by event name; the empty text stands for all. */
class Events implements EventsApp {
  readonly #handlers = new Map<string, Map<string, EventHandler[]>>();
  readonly #log: Logger;
  #closed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** No more subscriptions. Called when everything is provisioned. */
  close(): void {
    this.#closed = true;
  }

  subscribe({ events, modules, handlers }: Subscription): void {
    if (this.#closed) throw new Error('events can only be subscribed to while modules are provisioned');
    for (const origin of modules.length === 0 ? [''] : modules) {
      const byName = this.#handlers.get(origin) ?? new Map<string, EventHandler[]>();
      this.#handlers.set(origin, byName);
      for (const name of events.length === 0 ? [''] : events)
        byName.set(name, [...(byName.get(name) ?? []), ...handlers]);
    }
  }

  async emit(origin: string, name: string, data: Readonly<Record<string, unknown>> = {}): Promise<Event> {
    const event = new Event(origin, name, data);
    this.#log.debug('event', { name, origin, id: event.id });
    // From the origin itself up to everything: `a.b.c`, `a.b`, `a`, then those who did not care where from.
    for (let at = origin; ; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
      const byName = this.#handlers.get(at);
      for (const handler of [...(byName?.get(name) ?? []), ...(byName?.get('') ?? [])]) {
        await this.#run(handler, event);
        if (event.aborted !== null) return event;
      }
      if (at === '') return event;
    }
  }

  async #run(handler: EventHandler, event: Event): Promise<void> {
    try {
      const pending = handler.handle(event);
      if (pending !== undefined) await withPatience(pending);
    } catch (error) {
      if (isAborted(error)) event.aborted = error;
      else
        this.#log.error('an event handler failed', { name: event.name, origin: event.origin, error: messageOf(error) });
    }
  }
}

async function withPatience(pending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it took more than ${patience / 1000} s; the emitter goes on without it`)),
      patience,
    );
  });
  try {
    await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}
