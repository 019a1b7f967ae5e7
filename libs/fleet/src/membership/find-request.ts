import { keyError, rolledBackError } from '../member/errors.ts';
import type { Rollouts } from '../rollout/rollouts.ts';
import type { FleetStore } from '../store.ts';

/**
 * Returns the revision that a client's request with an `Idempotency-Key` created. Returns `null` if there is none.
 *
 * Rejects with `ERR_FLEET_KEY` if the key belongs to another request or to a rolled-back rollout.
 */
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
