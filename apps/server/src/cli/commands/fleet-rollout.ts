/** `sluice fleet rollout`: how far a roll-out is, as a bar that is drawn again when it changes, and orders to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../failure.ts';
import { askMember, print, type FleetOptions } from './fleet-call.ts';

/** A roll-out, as the route of the same server program gives it. */
export interface ShownRollout {
  readonly id: string;
  readonly state: string;
  readonly why?: string;
  readonly revision?: number;
  readonly stage: number;
  readonly held_seconds: number;
  readonly members: readonly string[];
  readonly seen: Readonly<Record<'new' | 'old', { readonly requests: number; readonly failures: number }>>;
  readonly stages?: readonly string[];
  readonly hold_seconds?: number;
  readonly by?: string;
}

/** How often it is looked at, in milliseconds, and how many characters the bar has. */
const lookPause = 500;
const width = 40;

const orders = new Set(['pause', 'resume', 'abort']);
const ends = new Set(['promoted', 'taken_back']);

/** Prints the bar once, or until the roll-out is over; or gives an order. */
export async function fleetRollout(options: FleetOptions & { readonly watch?: boolean }): Promise<number> {
  const { argument = 'status' } = options;
  if (orders.has(argument)) await askMember(options, 'POST', `/fleet/rollout/${argument}`);
  else if (argument !== 'status')
    throw new CommandError(
      `sluice fleet rollout accepts status, pause, resume or abort, not ${JSON.stringify(argument)}`,
    );
  let last = '';
  for (;;) {
    const shown: unknown = await askMember(options, 'GET', '/fleet/rollout');
    const rollout = shown as ShownRollout;
    const text = barOf(rollout);
    if (text !== last) {
      if (process.stdout.isTTY && last !== '') process.stdout.write(`\u001b[${last.split('\n').length}A\u001b[J`);
      print(text);
    }
    last = text;
    if (options.watch !== true || ends.has(rollout.state))
      return rollout.state === 'taken_back' && options.watch === true ? 1 : 0;
    await sleep(lookPause);
  }
}

/** A roll-out as lines of text. */
export function barOf(rollout: ShownRollout): string {
  const { id, state, why, revision, members, seen, by } = rollout;
  const share = shareOf(rollout);
  const full = Math.round(share * width);
  const bar = `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.round(share * 100)} %`;
  const asked = by === undefined ? '' : `, asked for by ${by}`;
  return [
    `roll-out ${id}${asked}`,
    `${bar}  ${wordsOf(state, revision)}${why === undefined ? '' : `: ${why}`}`,
    stagesOf(rollout),
    `with the change:    ${countsOf(seen.new)}, ${members.join(', ')}`,
    `without the change: ${countsOf(seen.old)}`,
  ].join('\n');
}

/** From 0 to 1: stages that are over, and the part of this one. */
function shareOf({ state, stage, stages = [], held_seconds: held, hold_seconds: hold = 1 }: ShownRollout): number {
  if (state === 'promoted') return 1;
  const looked = state === 'spreading' ? 0 : Math.min(1, held / hold);
  return Math.min(1, (stage + looked) / Math.max(1, stages.length));
}

function wordsOf(state: string, revision: number | undefined): string {
  if (state === 'promoted') return `applied on all members as revision ${revision ?? '?'}`;
  return state === 'taken_back' ? 'taken back' : state;
}

/** The stages, with how long the present one is held. */
function stagesOf({ state, stage, stages = [], held_seconds: held, hold_seconds: hold = 0 }: ShownRollout): string {
  const shown = stages.map((name, i) => {
    if (state === 'promoted' || i < stage) return `${name} done`;
    return i === stage && !ends.has(state) ? `${name} ${Math.floor(held)} of ${hold} s` : name;
  });
  return `stages: ${shown.join(' > ')}`;
}

function countsOf({ requests, failures }: ShownRollout['seen']['new']): string {
  return `${requests} requests, ${failures} failed`;
}
