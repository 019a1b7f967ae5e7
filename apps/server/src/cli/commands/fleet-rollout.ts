/** `sluice rollout` and `sluice fleet rollout`: show the progress of a rollout and control it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../failure.ts';
import { askMember, print, type FleetOptions } from './fleet-call.ts';

/** Response of `GET /rollout` and `GET /fleet/rollout`. */
export interface ShownRollout {
  readonly id: string;
  readonly state: string;
  readonly why?: string;
  readonly revision?: number;
  readonly stage: number;
  readonly held_seconds: number;
  /** Fleet members that have applied the change. Only for rollouts over a fleet. */
  readonly members?: readonly string[];
  /** Request property that determines which clients get the change. Only for rollouts on a single server. */
  readonly split_by?: string;
  readonly seen: Readonly<Record<'new' | 'old', Seen>>;
  readonly stages?: readonly string[];
  readonly hold_seconds?: number;
  readonly by?: string;
}

interface Seen {
  readonly requests: number;
  readonly failures: number;
  readonly upstream_failures?: number;
  readonly latency_ms?: { readonly p50: number; readonly p95: number; readonly p99: number };
}

interface RolloutRoutes {
  readonly command: string;
  readonly path: string;
  readonly orders: readonly string[];
}

type RolloutOptions = FleetOptions & { readonly watch?: boolean };

/** Polling interval for the rollout's progress, in milliseconds. */
const pollInterval = 500;
/** Width of the rollout's progress bar, in characters. */
const width = 40;

const finalStates = new Set(['promoted', 'taken_back', 'none']);

/** `sluice fleet rollout`: a rollout over the members of a fleet. */
export function fleetRollout(options: RolloutOptions): Promise<number> {
  const orders = ['pause', 'resume', 'abort'];
  return runRollout(options, { command: 'sluice fleet rollout', path: '/fleet/rollout', orders });
}

/** `sluice rollout`: a gradual rollout on a single server. */
export function stepRollout(options: RolloutOptions): Promise<number> {
  const orders = ['pause', 'resume', 'abort', 'promote'];
  return runRollout(options, { command: 'sluice rollout', path: '/rollout', orders });
}

/**
 * Runs a rollout command and prints the progress once, or until the rollout ends if `watch` is set. Exits with 1 if the rollout was rolled
 * back in the meantime.
 */
async function runRollout(options: RolloutOptions, { command, path, orders }: RolloutRoutes): Promise<number> {
  const { argument = 'status' } = options;
  if (orders.includes(argument)) await askMember(options, 'POST', `${path}/${argument}`);
  else if (argument !== 'status')
    throw new CommandError(`${command} accepts ${['status', ...orders].join(', ')}, not ${JSON.stringify(argument)}`);
  let last = '';
  for (;;) {
    const shown: unknown = await askMember(options, 'GET', path);
    const rollout = shown as ShownRollout;
    const text = rollout.state === 'none' ? 'there has been no rollout since the server started' : barOf(rollout);
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

/** Formats the progress of a rollout as a bar. */
export function barOf(rollout: ShownRollout): string {
  const { id, why, members = [], split_by: split, seen, by } = rollout;
  const share = shareOf(rollout);
  const full = Math.round(share * width);
  const bar = `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.round(share * 100)} %`;
  const requester = by === undefined ? '' : `, requested by ${by}`;
  return [
    `rollout ${id}${requester}`,
    `${bar}  ${labelOf(rollout)}${why === undefined ? '' : `: ${why}`}`,
    stagesOf(rollout),
    `with the change:    ${[countsOf(seen.new), ...members].join(', ')}`,
    `without the change: ${countsOf(seen.old)}`,
    ...(split === undefined ? [] : [`split by:           ${split}`]),
  ].join('\n');
}

/** Returns the progress of a rollout, from 0 to 1. It consists of the completed stages and the elapsed part of the current stage. */
function shareOf({ state, stage, stages = [], held_seconds: held, hold_seconds: hold = 1 }: ShownRollout): number {
  if (state === 'promoted') return 1;
  const elapsed = state === 'spreading' ? 0 : Math.min(1, held / hold);
  return Math.min(1, (stage + elapsed) / Math.max(1, stages.length));
}

function labelOf({ state, revision, members }: ShownRollout): string {
  const where = members === undefined ? 'applied' : 'applied on all members';
  if (state === 'promoted') return `${where} as revision ${revision ?? '?'}`;
  if (state === 'taken_back') return 'rolled back';
  return state === 'spreading' ? 'rolling out' : state;
}

/** Lists the stages of a rollout, with the hold time of the current stage. */
function stagesOf({ state, stage, stages = [], held_seconds: held, hold_seconds: hold = 0 }: ShownRollout): string {
  const shown = stages.map((name, i) => {
    if (state === 'promoted' || i < stage) return `${name} done`;
    return i === stage && !finalStates.has(state) ? `${name} ${Math.floor(held)} of ${hold} s` : name;
  });
  return `stages: ${shown.join(' > ')}`;
}

function countsOf({ requests, failures, upstream_failures: upstream = 0, latency_ms: latency }: Seen): string {
  const cause = upstream > 0 ? ` (${upstream} by upstreams)` : '';
  const times = latency === undefined ? '' : `, p50 ${latency.p50} ms, p95 ${latency.p95} ms, p99 ${latency.p99} ms`;
  return `${requests} requests, ${failures} failed${cause}${times}`;
}
