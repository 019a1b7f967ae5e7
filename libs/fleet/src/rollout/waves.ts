/** Which members have a change in which stage: the same whoever chooses, and those that have it keep it. */
import { createHash } from 'node:crypto';
import { sizeOf, type Stage } from './plan.ts';

/** The members of a stage. `present` are those that could have the change, `chosen` those of the stage before. */
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

/** Another order with each roll-out, so that it is not always the same machine that tries things out. */
function rankOf(id: string, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify([id, name]))
    .digest('hex');
}
