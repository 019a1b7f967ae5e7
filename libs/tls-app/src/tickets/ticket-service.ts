/** Session ticket keys. The control thread generates them and all threads use them, so any worker can resume a session. */
import { taskOf, unawaited, type Logger } from '@sluice/base';
import type { ThreadBus, Unsubscribe } from '@sluice/threads';
import { currentTicketKeys, ticketKeysChanged } from './messages.ts';
import type { TicketKeySettings, TicketKeySource } from '../contracts/ticket-key-source.ts';

/** Key source and rotation settings. `null` means that threads share no keys. */
export interface TicketConfiguration {
  readonly source: TicketKeySource;
  readonly settings: TicketKeySettings;
}

/** Runs the configured ticket key source. */
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

  /** Begins to send the current keys to each starting thread. */
  open(): Unsubscribe[] {
    return [this.#bus.onAsk(currentTicketKeys, () => this.#keys)];
  }

  /** Applies a configuration. If the source and its settings are unchanged, the source keeps running. */
  use(configuration: TicketConfiguration | null): void {
    if (isSame(configuration, this.#configuration)) return;
    this.stop();
    this.#configuration = configuration;
    if (configuration !== null) unawaited(taskOf('tls.stek'), this.#run(configuration, this.#running.signal));
  }

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
      if (!signal.aborted) this.#log.error('failed to load session ticket keys', { error });
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
