/** The revision that a request of a client became, which has named it by an `Idempotency-Key`. */
import { keyError, rolledBackError } from '../member/errors.ts';
import type { Rollouts } from '../rollout/rollouts.ts';
import type { FleetStore } from '../store.ts';

/** `null` if it became none. Rejects with ERR_FLEET_KEY if the key is that of another request, or of a rollout that was rolled back. */
export async function findRequest(
  store: FleetStore,
  rollouts: Pick<Rollouts, 'read'>,
  op: string,
  request: string | undefined,
): Promise<number | null> {
  const revision = await store.find(op);
  if (request === undefined) return revision;
  if (revision === null) {
    const last = await rollouts.read();
    if (last?.state.id === op && last.state.phase === 'taken_back') throw rolledBackError(op, last.state.why);
    return null;
  }
  const entry = (await store.log(revision, revision))?.[0];
  if (entry?.request !== undefined && entry.request !== request) throw keyError(op, revision);
  return revision;
}
