/** Streams state changes of the fleet as server-sent events. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Membership } from '../membership/membership.ts';

/** Interval for polling the fleet state, in milliseconds. */
const pollInterval = 500;

/** Yields fleet events until the signal is aborted. The first event contains the current state. */
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
