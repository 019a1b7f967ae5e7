/** Keys of session tickets: made in the control thread, used by all, so that a session is resumed by any worker. */
import { taskOf, unawaited, type Logger } from '@sluice/base';
import type { ThreadBus, Unsubscribe } from '@sluice/threads';
import { currentTicketKeys, ticketKeysChanged } from './messages.ts';
import type { TicketKeySettings, TicketKeySource } from '../contracts/ticket-key-source.ts';

/** Whose keys are used, and how they change; `null` for no shared keys. */
export interface TicketConfiguration {
  readonly source: TicketKeySource;
  readonly settings: TicketKeySettings;
}

/** Runs the key source of the configuration. */
export class TicketService {
  readonly #bus: ThreadBus;
  readonly #log: Logger;
  #keys: readonly Buffer[] = [];
  #configuration: TicketConfiguration | null = null;
  #running = new AbortController();

  constructor(bus: ThreadBus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
  }

  /** Begins to tell threads that start the keys in force. */
  open(): Unsubscribe[] {
    return [this.#bus.onAsk(currentTicketKeys, () => this.#keys)];
  }

  /** A configuration takes effect; the same source with the same settings goes on. */
  use(configuration: TicketConfiguration | null): void {
    if (isSame(configuration, this.#configuration)) return;
    this.stop();
    this.#configuration = configuration;
    if (configuration !== null) unawaited(taskOf('tls.stek'), this.#run(configuration, this.#running.signal));
  }

  /** Stops the source. */
  stop(): void {
    this.#running.abort();
    this.#running = new AbortController();
    this.#configuration = null;
  }

  async #run({ source, settings }: TicketConfiguration, signal: AbortSignal): Promise<void> {
    const changed = (keys: readonly Buffer[]): void => {
      if (signal.aborted) return;
      this.#keys = keys;
      this.#bus.broadcast(ticketKeysChanged, keys);
    };
    try {
      changed(await source.start(settings, changed, signal));
    } catch (error) {
      if (!signal.aborted) this.#log.error('no session ticket keys are available', { error });
    }
  }
}

function isSame(one: TicketConfiguration | null, other: TicketConfiguration | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.source === other.source &&
    one.settings.maxKeys === other.settings.maxKeys &&
    one.settings.rotationInterval === other.settings.rotationInterval
  );
}
