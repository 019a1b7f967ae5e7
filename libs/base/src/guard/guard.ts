/**
 * The guard: every callback that a socket, timer, session, handshake, file or bus calls runs through it. What a callback
 * throws goes to its owner, who ends what the callback worked for, and nothing else:
 *
 *     socket.on('close', guarded(this, () => this.#closed()));
 *
 * Wrap where the callback is registered: once per connection or component, never per request.
 */
import { reportFault } from './fault.ts';

/** Whose work a callback is. */
export interface Guarded {
  /** Ends the work and reports the fault; see {@link reportFault}. Called once for each exception. */
  fault(error: unknown): void;
}

/** A callback that does not throw: its owner has what it throws. */
export function guarded<A extends unknown[]>(owner: Guarded, callback: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      callback(...args);
    } catch (error) {
      failOwner(owner, error);
    }
  };
}

/** Runs a callback now, such as for one of many that must not harm the others. */
export function runGuarded(owner: Guarded, callback: () => void): void {
  try {
    callback();
  } catch (error) {
    failOwner(owner, error);
  }
}

/** Lets a promise go on its own; its owner has what it rejects with. */
export function unawaited(owner: Guarded, promise: Promise<unknown>): void {
  promise.then(undefined, (error: unknown) => failOwner(owner, error));
}

/** Gives an exception to an owner. One that fails at that in its turn is reported as well. */
export function failOwner(owner: Guarded, error: unknown): void {
  try {
    owner.fault(error);
  } catch (second) {
    reportFault({ part: 'task', error });
    reportFault({ part: 'task', error: second });
  }
}

/** Owns callbacks of a socket of which nothing more is known: a fault closes it. */
export function connectionOf(socket: { destroy(): unknown }): Guarded {
  return {
    fault: (error) => {
      reportFault({ part: 'connection', error });
      socket.destroy();
    },
  };
}

/** Owns callbacks of a background task of a module: a fault ends that run alone. `module` is an id, such as `tls`. */
export function taskOf(module: string): Guarded {
  return { fault: (error) => reportFault({ part: 'task', error, module }) };
}
