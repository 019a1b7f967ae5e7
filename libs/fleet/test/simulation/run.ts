/** A simulation with fleet members, clients that change the document, and faults. Records the result of each change. */
import { isSluiceError, type Json } from '@sluice/base';
import { addAt, applyOperations, removeAt, getAt } from '@sluice/reconciler';
import { MemoryCluster, type Entry } from '@sluice/fleet';
import type { PatchOperation } from '@sluice/registry';
import { SimulatedMember, sound, type Making } from './simulated-member.ts';
import { World } from './world.ts';

/** A document change requested by a client. */
export interface Call {
  readonly op: string;
  readonly called: number;
  /** Time of the response, or null if the member was killed before it responded. */
  responded: number | null;
  outcome: 'committed' | 'refused' | 'unknown';
  /** Element at the removed index when the change was first evaluated. `null` if the change is not a removal. */
  removes: Json | null;
}

/** Recorded data of a simulation, to be checked against the invariants. */
export interface Run {
  readonly cluster: MemoryCluster;
  /** All log entries, including entries that have been trimmed. */
  readonly log: readonly Entry[];
  readonly members: readonly SimulatedMember[];
  readonly calls: readonly Call[];
}

/** Size of a simulation: numbers of members and calls, and the time span in milliseconds. */
const sizes = { members: 3, calls: 14, span: 2500 };

/** Outcomes of errors that are not rejections, by error code. */
const outcomes = new Map<string, Call['outcome']>([
  ['ERR_FLEET_UNKNOWN', 'unknown'],
  ['ERR_FLEET_KNOWN', 'committed'],
]);

const list = ['apps', 'app', 'list'];

/** Runs the simulation for a seed. */
export async function play(seed: number, making: Making = sound): Promise<Run> {
  const world = new World(seed);
  const cluster = new MemoryCluster();
  const log: Entry[] = [];
  cluster.listen(() => log.push(...cluster.log.filter(({ rev }) => rev > (log.at(-1)?.rev ?? 0))));
  const shared = { world, cluster, making, trouble: world.below(3) === 0 ? 0 : 0.1 };
  const members = Array.from({ length: sizes.members }, (_, i) => new SimulatedMember(`m${i}`, shared));
  const calls: Call[] = [];
  for (const member of members) await member.start();
  const any = (): SimulatedMember => members[world.below(members.length)] as SimulatedMember;
  await world.runUntil(world.now + 1500);
  // Some simulations contain a long pause. During the pause, the log is trimmed while a member is disconnected.
  const pause = world.below(3) === 0 ? 7000 : 0;
  for (let i = 0; i < sizes.calls; i++) {
    const at = world.below(sizes.span);
    world.after(at + (at < sizes.span / 2 ? 0 : pause), () => void change(`op-${i}`, any(), world, calls));
  }
  for (let i = world.below(4); i > 0; i--) {
    world.after(world.below(sizes.span), () => void any().restart());
    world.after(world.below(sizes.span), () => {
      any().link.cutUntil = world.now + world.below(1500);
    });
  }
  if (pause > 0) {
    any().link.cutUntil = world.now + sizes.span / 2 + pause;
    world.after(sizes.span / 2 + pause - 100, () => trim(cluster, log));
  }
  await world.runUntil(world.now + sizes.span + pause + 7000);
  for (const { link } of members) link.trouble = 0;
  await world.runUntil(world.now + 4000);
  for (const member of members) await member.close();
  return { cluster, log, members, calls };
}

async function change(op: string, { reconciler }: SimulatedMember, world: World, calls: Call[]): Promise<void> {
  const kind = world.below(10);
  const value = world.below(6) === 0 ? 'bad' : op;
  const present = getAt(reconciler.document, list);
  const elements = Array.isArray(present) ? (present as readonly Json[]) : [];
  const index = elements.length === 0 ? -1 : world.below(elements.length);
  const isRemoval = kind >= 6 && index >= 0;
  const call: Call = { op, called: world.now, responded: null, outcome: 'unknown', removes: null };
  calls.push(call);
  const edit = (document: Json): Json => {
    if (isRemoval) {
      call.removes ??= getAt(document, [...list, String(index)]) ?? null;
      return removeAt(document, [...list, String(index)]);
    }
    if (kind < 4) return addAt(document, ['apps', 'app', `key${world.below(4)}`], value);
    const now = getAt(document, list) ?? [];
    return addAt(document, list, [...(now as readonly Json[]), op]);
  };
  try {
    if ((await reconciler.change(edit, { op })).changed) call.outcome = 'committed';
  } catch (error) {
    call.outcome = outcomes.get(isSluiceError(error) ? error.code : '') ?? 'refused';
  }
  call.responded = world.now;
}

/** Saves a snapshot and trims the log, as members do periodically. */
function trim(cluster: MemoryCluster, log: readonly Entry[]): void {
  const { head } = cluster;
  if (head === null || head.rev < 3) return;
  cluster.snapshot = { head, document: replay(log.slice(0, head.rev)) };
  cluster.trim(head.rev);
}

/** Returns the document that results from applying the entries. */
export function replay(entries: readonly Entry[]): Json {
  let document: Json = null;
  for (const { patch } of entries) document = applyOperations(document, patch as readonly PatchOperation[] & Json);
  return document;
}
