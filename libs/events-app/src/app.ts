/** The `events` app, through which modules emit events. The emitter waits for the subscribed handlers. */
import {
  appToken,
  apps,
  defineModule,
  inlineModules,
  list,
  options,
  strings,
  type AppToken,
  type Context,
} from '@sluice/registry';
import { eventHubToken, type EventData, type EventHub } from '@sluice/telemetry';
import { messageOf, type JsonArray, type Logger } from '@sluice/base';
import { Event, isAborted } from './event.ts';
import { completesInTime } from './handler-timeout.ts';
import { Subscriptions, type Subscription } from './subscriptions.ts';
import { type EventHandler, eventHandlers } from './handler.ts';

/** Interface of the `events` app for other modules. */
export interface EventsApp {
  /** Subscribes event handlers while the module that owns the context is active. Call this method during provisioning. */
  subscribe(subscription: Subscription, context: Context): void;
  /** Runs the subscribed handlers in this thread. Returns the event, which a handler may have aborted. The returned promise never rejects. */
  emit(origin: string, name: string, data?: EventData): Promise<Event>;
}

export const eventsApp: AppToken<EventsApp> = appToken<EventsApp>('events');

export const eventsAppModule = defineModule(apps, {
  name: 'events',
  help: 'Events app: runs handlers when the server emits events. Experimental in Caddy.',
  config: options({
    subscriptions: list(
      'Subscriptions, which run handlers when certain events occur.',
      options({
        events: strings('Names of the events to handle. Default: all.'),
        modules: strings('Modules whose events are handled, including events of nested modules. Default: all.'),
        handlers: inlineModules('Handlers to run, in order.', eventHandlers, 'handler'),
      }),
    ),
  }),
  async provision(config, context: Context): Promise<EventsApp> {
    const hub = context.find(eventHubToken) ?? null;
    const subscriptions = new Subscriptions();
    const events = new Events(subscriptions, hub, context.log);
    for (const [i, subscription] of (config.subscriptions ?? []).entries()) {
      const handlers = await context.loadInlineList(
        eventHandlers,
        (subscription.handlers ?? []) as JsonArray,
        'handler',
        'subscriptions',
        i,
        'handlers',
      );
      subscriptions.add({ events: subscription.events ?? [], modules: subscription.modules ?? [], handlers });
    }
    if (hub !== null && context.roles.control) {
      let stop: (() => void) | null = null;
      context.onCommit(() => {
        stop = hub.handle((event) => events.dispatch(new Event(event)));
      });
      context.onRetire(() => stop?.());
    }
    return events;
  },
});

class Events implements EventsApp {
  readonly #subscriptions: Subscriptions;
  readonly #hub: EventHub | null;
  readonly #log: Logger;
  /** Handlers that exceeded the timeout. They receive no more events until they return. */
  readonly #hanging = new Set<EventHandler>();

  constructor(subscriptions: Subscriptions, hub: EventHub | null, log: Logger) {
    this.#subscriptions = subscriptions;
    this.#hub = hub;
    this.#log = log;
  }

  subscribe(subscription: Subscription, context: Context): void {
    if (!context.provisioning)
      throw context.error('events can only be subscribed to while modules are being provisioned');
    context.onCommit(() => this.#subscriptions.add(subscription));
    context.onRetire(() => this.#subscriptions.delete(subscription));
  }

  async emit(origin: string, name: string, data: EventData = {}): Promise<Event> {
    const event = Event.of(origin, name, data);
    this.#hub?.publish(event);
    await this.dispatch(event);
    return event;
  }

  /** Runs the handlers of an event until one of them aborts the event. */
  async dispatch(event: Event): Promise<void> {
    if (this.#log.enabled('debug')) {
      const { id, name, origin, data } = event;
      this.#log.debug('event', { name, id, origin, data: { ...data } });
    }
    for (const handler of this.#subscriptions.handlersOf(event.origin, event.name)) {
      await this.#run(handler, event);
      if (event.aborted !== null) return;
    }
  }

  async #run(handler: EventHandler, event: Event): Promise<void> {
    if (this.#hanging.has(handler)) return;
    try {
      const pending = handler.handle(event);
      if (pending === undefined || (await completesInTime(pending))) return;
      this.#hanging.add(handler);
      void pending.catch(() => undefined).then(() => this.#hanging.delete(handler));
      this.#logFailure(
        event,
        'event handler is slow; continuing without waiting for it, and skipping it until it finishes',
      );
    } catch (error) {
      if (isAborted(error)) event.aborted = error;
      else this.#logFailure(event, messageOf(error));
    }
  }

  #logFailure({ name, origin }: Event, error: string): void {
    this.#log.error('event handler failed', { name, origin, error });
  }
}
