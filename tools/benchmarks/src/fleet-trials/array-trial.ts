/**
 * Fleet trial in which many writers concurrently insert and remove elements of one array by index. The result must match some serial order
 * of the edits.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Asked } from './admin-client.ts';
import type { StoreEngine } from './engines/engine.ts';
import { says, startFleet } from './fleet-of-members.ts';
import type { MemberProcess } from './member-process.ts';
import { historySince, settle } from './observe.ts';
import { Random } from './random.ts';

export interface ArrayPlan {
  readonly seed: number;
  readonly writers: number;
  /** Number of rounds. In each round, each writer makes one change. */
  readonly rounds: number;
}

/** Parameters of the full array trial. */
export const fullArrayPlan: ArrayPlan = { seed: 1, writers: 64, rounds: 1000 };

export interface ArrayReport {
  /** Number of rounds whose result matches a serial order of the edits. */
  readonly serial: number;
  readonly rounds: number;
  readonly committed: number;
  readonly refused: number;
  readonly seconds: number;
  readonly problems: readonly string[];
}

/** An edit that a writer requests. */
interface Edit {
  readonly op: string;
  readonly index: number;
  /** Value to insert, or `null` to remove an element. */
  readonly value: string | null;
}

const arrayPath = '/config/apps/http/servers/s/routes/0/handle/0/headers/X-List';

/** Maximum length of the array. */
const maxElements = 40;

/** Runs the array trial with a fleet store. The store keeps running after the trial. `command` starts the server. */
export async function tryArrays(
  engine: StoreEngine,
  command: readonly string[],
  plan: ArrayPlan,
): Promise<ArrayReport> {
  const random = new Random(plan.seed);
  const list = Array.from({ length: 20 }, (_, i) => `e${i}`);
  const route = { handle: [{ handler: 'static_response', headers: { 'X-List': list }, body: 'list' }] };
  const fleet = await startFleet({
    command,
    members: 3,
    address: () => engine.address(`arrays-${plan.seed}`),
    document: { routes: [route, says('first')] },
  });
  const began = performance.now();
  const counts = { serial: 0, committed: 0, refused: 0 };
  const problems: string[] = [];
  try {
    let before: readonly string[] = list;
    let last = (await settle(fleet.members))[0]?.applied ?? 0;
    for (let round = 0; round < plan.rounds; round++) {
      const edits = Array.from({ length: plan.writers }, (_, i) => anyEdit(`op-${round}-${i}`, before.length, random));
      const statuses = new Map<string, number>();
      await Promise.all(edits.map(async (edit) => statuses.set(edit.op, await make(edit, random.any(fleet.members)))));
      await settle(fleet.members);
      const made = await historySince(fleet.members[0] as MemberProcess, last);
      last += made.length;
      const after = await listOf(fleet.members[random.below(3)] as MemberProcess);
      const found = problemsOf(before, after, { edits, statuses, order: made.map(({ op }) => op) });
      if (found.length === 0) counts.serial++;
      problems.push(...found.map((problem) => `round ${round}: ${problem}`));
      for (const status of statuses.values()) counts[status === 200 ? 'committed' : 'refused']++;
      before = after;
    }
  } finally {
    await fleet.stop();
  }
  return { ...counts, rounds: plan.rounds, seconds: Math.round((performance.now() - began) / 1000), problems };
}

function anyEdit(op: string, length: number, random: Random): Edit {
  const isRemoval = length > 10 && random.below(length > maxElements ? 4 : 2) > 0;
  return { op, index: random.below(length), value: isRemoval ? null : op };
}

async function make({ op, index, value }: Edit, member: MemberProcess): Promise<number> {
  const how: Asked =
    value === null
      ? { method: 'DELETE', path: `${arrayPath}/${index}` }
      : { method: 'PUT', path: `${arrayPath}/${index}`, body: value };
  return (await member.ask({ ...how, headers: { 'Idempotency-Key': op } })).status;
}

async function listOf(member: MemberProcess): Promise<readonly string[]> {
  return JSON.parse((await member.ask({ path: arrayPath })).text) as readonly string[];
}

/** Requested edits, the responses to them, and the order in which they were applied. */
export interface Round {
  readonly edits: readonly Edit[];
  readonly statuses: ReadonlyMap<string, number>;
  readonly order: readonly string[];
}

/** Returns descriptions of the consistency violations in a round. */
export function problemsOf(
  before: readonly string[],
  after: readonly string[],
  { edits, statuses, order }: Round,
): string[] {
  const asked = new Map(edits.map((edit) => [edit.op, edit]));
  const committed = edits.filter(({ op }) => statuses.get(op) === 200).map(({ op }) => op);
  if (!isDeepStrictEqual(committed.toSorted(), order.toSorted()))
    return [`committed changes: ${committed.join()}, sent changes: ${order.join()}`];
  const list = [...before];
  for (const op of order) {
    const { index, value } = asked.get(op) as Edit;
    if (index > list.length - (value === null ? 1 : 0)) return [`${op} was applied at ${index} of ${list.length}`];
    if (value === null) list.splice(index, 1);
    else list.splice(index, 0, value);
  }
  return isDeepStrictEqual(list, after)
    ? []
    : [`applied in sequence, they produce ${JSON.stringify(list)}, but the document is ${JSON.stringify(after)}`];
}
