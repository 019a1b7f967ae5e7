/**
 * Guards callbacks of sockets, timers, sessions, handshakes, file watches and buses. The callback's owner receives exceptions, and
 * terminates only the affected work:
 *
 *     socket.on('close', guarded(this, () => this.#closed()));
 *
 * Wrap the callback at registration: once per connection or component, never per request.
 */
import { reportFault } from './fault.ts';

/** Owner of a callback. */
export interface Guarded {
  /** Terminates the work and reports the fault; see {@link reportFault}. Called once per exception. */
  fault(error: unknown): void;
}

/** Wraps a callback so that the owner receives its exceptions. */
export function guarded<A extends unknown[]>(owner: Guarded, callback: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      callback(...args);
    } catch (error) {
      failOwner(owner, error);
    }
  };
}

/** Runs a callback immediately. The owner receives exceptions, so that a loop over many callbacks continues. */
export function runGuarded(owner: Guarded, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    failOwner(owner, error);
  }
}

/** Detaches a promise. The owner receives the rejection. */
export function unawaited(owner: Guarded, promise: Promise<unknown>): void {
  promise.then(undefined, (error: unknown) => failOwner(owner, error));
}

/** Passes an exception to its owner. If the owner fails too, both are reported. */
export function failOwner(owner: Guarded, error: unknown): void {
  try {
    owner.fault(error);
  } catch (second) {
    reportFault({ part: 'task', error });
    reportFault({ part: 'task', error: second });
  }
}

/** Owner for callbacks of a bare socket: a fault closes the socket. */
export function connectionOf(socket: { destroy(): unknown }): Guarded {
  return {
    fault: (error) => {
      reportFault({ part: 'connection', error });
      socket.destroy();
    },
  };
}

/** Owner for callbacks of a module's background task: a fault ends only the current run. `module` is a module ID, such as `tls`. */
export function taskOf(module: string): Guarded {
  return { fault: (error) => reportFault({ part: 'task', error, module }) };
}
