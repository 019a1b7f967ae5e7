/** Connections without libuv handles, for TLS through the OpenSSL bindings. */
import { streamProblem } from '../availability.ts';
import { system } from './functions.ts';

/** Allows {@link PolledListener}. Checked for each listening socket. */
export const polledSockets: { allowed: boolean } = { allowed: process.env['SLUICE_NATIVE_TLS'] === 'on' };

/** Reports whether the system supports connections without libuv handles, and the switch allows them. */
export function usesPolledSockets(): boolean {
  if (!polledSockets.allowed || streamProblem() !== null) return false;
  try {
    system();
    return true;
  } catch {
    return false;
  }
}
