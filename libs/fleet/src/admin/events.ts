/** Streams state changes of the fleet as server-sent events. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Membership } from '../membership/membership.ts';

/** Polling interval of the fleet state, in milliseconds. */
const pollInterval = 500;

/** Yields events until the signal aborts, starting with the current state. */
export async function* fleetEvents(fleet: Membership, signal: AbortSignal): AsyncGenerator<string> {
  let last = '';
  for (;;) {
    const now = JSON.stringify(await fleet.describe());
    if (now !== last) yield `event: fleet\ndata: ${now}\n\n`;
    last = now;
    try {
      await sleep(pollInterval, undefined, { signal, ref: false });
    } catch {
      return; // The client has disconnected.
    }
  }
}
