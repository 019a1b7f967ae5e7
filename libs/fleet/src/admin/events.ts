/** The state of a fleet as server-sent events: whenever it changed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Membership } from '../membership/membership.ts';

/** How often the fleet is looked at, in milliseconds. */
const lookPause = 500;

/** Yields events until the signal aborts; the first at once. */
export async function* fleetEvents(fleet: Membership, signal: AbortSignal): AsyncGenerator<string> {
  let last = '';
  for (;;) {
    const now = JSON.stringify(await fleet.describe());
    if (now !== last) yield `event: fleet\ndata: ${now}\n\n`;
    last = now;
    try {
      await sleep(lookPause, undefined, { signal, ref: false });
    } catch {
      return; // The client has gone.
    }
  }
}
