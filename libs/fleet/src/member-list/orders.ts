/** Requests from operators to fleet members. The requests are stored as values, which the recipients read. */
import { SluiceError } from '@sluice/base';
import type { FleetStore, Write } from '../store.ts';

/** Maximum time for writing operator requests, in seconds. */
const seconds = 5;

/** The member that writes a request, and a unique ID. */
interface Writer {
  readonly store: FleetStore;
  readonly name: string;
  readonly id: string;
}

/** Writes operator requests under a separate lease. The lease of the member's name may have been lost during a store outage. */
export async function writeOrders({ store, name, id }: Writer, writes: readonly Write[]): Promise<void> {
  const lease = await store.lease(`order/${id}`, name, seconds);
  const isTaken = lease !== null && (await store.transaction(lease, writes));
  await lease?.release();
  if (!isTaken)
    throw new SluiceError('ERR_FLEET_STORE', 'the store did not accept the request; retry', { status: 503 });
}
