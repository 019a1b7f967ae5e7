/**
 * Guards for callbacks of sockets, timers, sessions, handshakes, file watchers, and message buses. The owner of a callback handles its
 * exceptions, and terminates only the affected work:
 *
 *     socket.on('close', guarded(this, () => this.#closed()));
 *
 * Wrap a callback when registering it: once per connection or component, never per request.
 */
import { reportFault } from './fault.ts';

/** Owner of a callback, which handles the callback's exceptions. */
export interface Guarded {
  /** Terminates the affected work and reports the fault; see {@link reportFault}. Called once per exception. */
  fault(error: unknown): void;
}

/** Wraps a callback so that the owner handles its exceptions. */
export function guarded<A extends unknown[]>(owner: Guarded, callback: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      callback(...args);
    } catch (error) {
      failOwner(owner, error);
    }
  };
}

/** Runs a callback immediately. The owner handles exceptions, so a loop over many callbacks can continue. */
export function runGuarded(owner: Guarded, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    failOwner(owner, error);
  }
}

/** Marks a promise as intentionally not awaited. If the promise rejects, the owner handles the error. */
export function unawaited(owner: Guarded, promise: Promise<unknown>): void {
  promise.then(undefined, (error: unknown) => failOwner(owner, error));
}

/** Passes an exception to the owner of the callback. If the owner throws too, reports both exceptions. */
export function failOwner(owner: Guarded, error: unknown): void {
  try {
    owner.fault(error);
  } catch (second) {
    reportFault({ part: 'task', error });
    reportFault({ part: 'task', error: second });
  }
}

/** Returns an owner for callbacks of a plain socket. A fault closes the socket. */
export function connectionOf(socket: { destroy(): unknown }): Guarded {
  return {
    fault: (error) => {
      reportFault({ part: 'connection', error });
      socket.destroy();
    },
  };
}

/** Returns an owner for callbacks of a module's background task. A fault ends only the current run. `module` is a module ID, such as `tls`. */
export function taskOf(module: string): Guarded {
  return { fault: (error) => reportFault({ part: 'task', error, module }) };
}
