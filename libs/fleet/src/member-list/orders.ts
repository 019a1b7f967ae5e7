/** Operator requests to members: values in the store that the recipients read. */
import { SluiceError } from '@sluice/base';
import type { FleetStore, Write } from '../store.ts';

/** Maximum time for writing a request, in seconds. */
const seconds = 5;

/** The writing member, and a unique id. */
interface Writer {
  readonly store: FleetStore;
  readonly name: string;
  readonly id: string;
}

/** Writes requests under a separate lease, because the lease of the member's name may be lost after a store outage. */
export async function writeOrders({ store, name, id }: Writer, writes: readonly Write[]): Promise<void> {
  const lease = await store.lease(`order/${id}`, name, seconds);
  const isTaken = lease !== null && (await store.transaction(lease, writes));
  await lease?.release();
  if (!isTaken) throw new SluiceError('ERR_FLEET_STORE', 'the store did not accept the order; retry', { status: 503 });
}
