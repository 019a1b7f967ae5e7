/** Assigns fleet members to rollout stages. The assignment is deterministic, and members keep the change in later stages. */
import { createHash } from 'node:crypto';
import { sizeOf, type Stage } from '@sluice/rollout';

/** Returns the members of a stage. `present` lists the candidates, and `chosen` lists the members of the previous stage. */
export function membersOf(
  stage: Stage | undefined,
  id: string,
  present: readonly string[],
  chosen: readonly string[],
): readonly string[] {
  const all = new Set([...chosen, ...present]);
  const size = Math.max(chosen.length, sizeOf(stage, all.size));
  const taken = new Set(chosen);
  const others = [...all]
    .filter((name) => !taken.has(name))
    .toSorted((a, b) => (rankOf(id, a) < rankOf(id, b) ? -1 : 1));
  return [...chosen, ...others.slice(0, size - chosen.length)];
}

/** Returns the sort key of a member. The keys differ between rollouts, so that the first stage does not always use the same machine. */
function rankOf(id: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([id, name]))
    .digest('hex');
}
