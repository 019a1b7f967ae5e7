/** Receivers and responders by topic. Both types of message bus use them. */
import { SluiceError, reportFault, silentLogger, type Logger } from '@sluice/base';
import type { Unsubscribe } from './bus.ts';

/** Error code for a request if no responder is registered in the target thread. */
export const noResponder = 'ERR_NO_RESPONDER';

/** Callbacks by name. */
export class Subscriptions<F extends (...args: never[]) => unknown> {
  readonly #byName = new Map<string, F[]>();

  /** Registers a callback. Returns a function that unregisters the callback. */
  add(name: string, callback: F): Unsubscribe {
    const callbacks = this.#byName.get(name) ?? [];
    this.#byName.set(name, [...callbacks, callback]);
    return () => {
      const rest = (this.#byName.get(name) ?? []).filter((other) => other !== callback);
      if (rest.length > 0) this.#byName.set(name, rest);
      else this.#byName.delete(name);
    };
  }

  /** Calls all callbacks registered for a name. Logs their errors. */
  call(name: string, log: Logger, ...args: Parameters<F>): void {
    for (const callback of this.#byName.get(name) ?? []) {
      try {
        callback(...args);
      } catch (error) {
        log.error('message receiver failed', { topic: name, error });
        reportFault({ part: 'task', error, log: silentLogger });
      }
    }
  }

  /** Returns the most recently registered callback. Throws if there is none. */
  last(name: string): F {
    const callback = this.#byName.get(name)?.at(-1);
    if (callback === undefined) throw new SluiceError(noResponder, `this thread has no handler for ${name}`);
    return callback;
  }
}
