/** What operators order of members: values in the store, that are read by whom they are for. */
import { SluiceError } from '@sluice/base';
import type { FleetStore, Write } from '../store.ts';

/** How long an order may take to be written, in seconds. */
const seconds = 5;

/** Who writes, and a name that there is once. */
interface Writer {
  readonly store: FleetStore;
  readonly name: string;
  readonly id: string;
}

/** Writes orders. Writes take a lease; that of the member's name is lost for a while after the store was away. */
export async function writeOrders({ store, name, id }: Writer, writes: readonly Write[]): Promise<void> {
  const lease = await store.lease(`order/${id}`, name, seconds);
  const isTaken = lease !== null && (await store.transaction(lease, writes));
  await lease?.release();
  if (!isTaken) throw new SluiceError('ERR_FLEET_STORE', 'the order was not accepted; try again', { status: 503 });
}
