/** Connections without libuv handles, for TLS through the OpenSSL bindings. */
import { streamProblem } from '../availability.ts';
import { system } from './functions.ts';

/** Reports whether the system supports connections without libuv handles. */
export function supportsPolledSockets(): boolean {
  if (streamProblem() !== null) return false;
  try {
    system();
    return true;
  } catch {
    return false;
  }
}
