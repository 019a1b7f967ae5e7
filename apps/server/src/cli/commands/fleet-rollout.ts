/** `sluice fleet rollout`: shows rollout progress, and pauses, resumes or aborts the rollout. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../failure.ts';
import { askMember, print, type FleetOptions } from './fleet-call.ts';

/** Response of `GET /fleet/rollout`. */
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

/** Polling interval, in milliseconds. */
const pollInterval = 500;
/** Width of the progress bar, in characters. */
const width = 40;

const commands = new Set(['pause', 'resume', 'abort']);
const finalStates = new Set(['promoted', 'taken_back']);

/**
 * Runs a command, and prints the progress once, or with `watch` until the rollout ends. Exits with 1 if the rollout was rolled back in the
 * meantime.
 */
export async function fleetRollout(options: FleetOptions & { readonly watch?: boolean }): Promise<number> {
  const { argument = 'status' } = options;
  if (commands.has(argument)) await askMember(options, 'POST', `/fleet/rollout/${argument}`);
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
    if (options.watch !== true || finalStates.has(rollout.state))
      return rollout.state === 'taken_back' && options.watch === true ? 1 : 0;
    await sleep(pollInterval);
  }
}

/** Formats the progress of a rollout. */
export function barOf(rollout: ShownRollout): string {
  const { id, state, why, revision, members, seen, by } = rollout;
  const share = shareOf(rollout);
  const full = Math.round(share * width);
  const bar = `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.round(share * 100)} %`;
  const requester = by === undefined ? '' : `, requested by ${by}`;
  return [
    `rollout ${id}${requester}`,
    `${bar}  ${labelOf(state, revision)}${why === undefined ? '' : `: ${why}`}`,
    stagesOf(rollout),
    `with the change:    ${countsOf(seen.new)}, ${members.join(', ')}`,
    `without the change: ${countsOf(seen.old)}`,
  ].join('\n');
}

/** Returns the progress from 0 to 1: completed stages plus the elapsed part of the current stage. */
function shareOf({ state, stage, stages = [], held_seconds: held, hold_seconds: hold = 1 }: ShownRollout): number {
  if (state === 'promoted') return 1;
  const elapsed = state === 'spreading' ? 0 : Math.min(1, held / hold);
  return Math.min(1, (stage + elapsed) / Math.max(1, stages.length));
}

function labelOf(state: string, revision: number | undefined): string {
  if (state === 'promoted') return `applied on all members as revision ${revision ?? '?'}`;
  if (state === 'taken_back') return 'rolled back';
  return state === 'spreading' ? 'rolling out' : state;
}

/** Lists the stages, with the hold time of the current stage. */
function stagesOf({ state, stage, stages = [], held_seconds: held, hold_seconds: hold = 0 }: ShownRollout): string {
  const shown = stages.map((name, i) => {
    if (state === 'promoted' || i < stage) return `${name} done`;
    return i === stage && !finalStates.has(state) ? `${name} ${Math.floor(held)} of ${hold} s` : name;
  });
  return `stages: ${shown.join(' > ')}`;
}

function countsOf({ requests, failures }: ShownRollout['seen']['new']): string {
  return `${requests} requests, ${failures} failed`;
}
