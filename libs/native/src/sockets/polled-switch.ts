/** Connections without libuv handles, for TLS through the OpenSSL bindings. */
import { streamProblem } from '../availability.ts';
import { polledSystem } from './polled-functions.ts';

/** Reports whether the system supports connections without libuv handles. */
export function supportsPolledSockets(): boolean {
  if (streamProblem() !== null) return false;
  try {
    polledSystem();
    return true;
  } catch {
    return false;
  }
}
