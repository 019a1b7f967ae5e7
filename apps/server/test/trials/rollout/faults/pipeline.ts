/** Takes a change through the steps of a careful operator: lint, behavior comparison, shadow traffic, and a gradual rollout. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '../../../support/server.ts';
import type { Sandbox } from '../../../support/sandbox.ts';
import type { Claim } from './faults.ts';
import type { Tally } from './traffic.ts';

export type StepName = 'load' | 'lint' | 'behavior' | 'shadow' | 'steps';

export interface Outcome {
  /** Reasons by step that stopped the change or would have stopped it. */
  readonly stopped: ReadonlyMap<StepName, string>;
  /** Result of the rollout, or `null` if it did not start. */
  readonly rollout: RolloutEnd | null;
}

export interface RolloutEnd {
  readonly state: string;
  readonly stage: string;
  readonly why: string;
  readonly requests: number;
  readonly hurt: number;
  readonly by: readonly string[];
  readonly seconds: number;
}

interface Group {
  readonly summary: string;
  readonly hosts: readonly string[];
  readonly path_prefix: string;
  readonly differences: readonly { readonly aspect: string; readonly name: string }[];
}

interface Report {
  readonly error?: string;
  readonly behavior?: { readonly groups: readonly Group[]; readonly undecided: number; readonly recorded: number };
  readonly shadow?: { readonly groups: readonly Group[]; readonly same: number };
}

export interface Pipeline {
  readonly server: TestServer;
  readonly sandbox: Sandbox;
  readonly traffic: { count(): Tally };
  /** Configuration in force. */
  readonly before: string;
  /** True to try the later steps even if an earlier step stopped the change. */
  readonly all: boolean;
  readonly plan: string;
  /** Timeout of the rollout in milliseconds. The rollout is aborted when it expires. */
  readonly patience: number;
  /** True to count requests for two more seconds after the change is complete. */
  readonly watched: boolean;
  /** Number of requests to replay, and the maximum duration of the replay in seconds. */
  readonly shadow: { readonly requests: number; readonly seconds: number };
}

const type = { 'Content-Type': 'text/caddyfile' };

export async function takeThrough(pipeline: Pipeline, after: string, claim: Claim): Promise<Outcome> {
  const { server, shadow } = pipeline;
  const replay = `dry_run=shadow&live&requests=${shadow.requests}&seconds=${shadow.seconds}`;
  const stopped = new Map<StepName, string>();
  const load = (query: string): Promise<{ status: number; text: string }> =>
    server.admin(`/load?${query}`, { method: 'POST', text: after, headers: type });
  const finding = await newFinding(pipeline, after);
  if (finding !== null) stopped.set('lint', finding);
  const planned = await load(replay);
  const report = JSON.parse(planned.text) as Report;
  if (planned.status !== 200) return { stopped: stopped.set('load', String(report.error)), rollout: null };
  if (stopped.size > 0 && !pipeline.all) return { stopped, rollout: null };
  note(stopped, 'behavior', unclaimed(report.behavior?.groups ?? [], claim));
  note(stopped, 'shadow', unclaimed(report.shadow?.groups ?? [], claim));
  if (stopped.size > 0 && !pipeline.all) return { stopped, rollout: null };
  const rollout = await rollOut(pipeline, load, stopped.size === 0);
  if (rollout !== null && rollout.state === 'taken_back') stopped.set('steps', `${rollout.stage}: ${rollout.why}`);
  return { stopped, rollout };
}

function note(stopped: Map<StepName, string>, step: StepName, reason: string | null): void {
  if (reason !== null) stopped.set(step, reason);
}

/** Returns the summary of the first difference that the author did not claim, or `null`. */
function unclaimed(groups: readonly Group[], claim: Claim): string | null {
  const found = groups.find((group) => claim === 'same' || !isClaimed(group, claim));
  return found?.summary ?? null;
}

function isClaimed({ hosts, path_prefix: prefix, differences }: Group, { at, may }: Exclude<Claim, 'same'>): boolean {
  const places = hosts.map((host) => host.replace(/:\d+$/, '') + prefix);
  return (
    places.every((place) => at.some((claimed) => place.startsWith(claimed))) &&
    differences.every(({ aspect, name }) => may.includes(aspect) || may.includes(`${aspect} ${name}`))
  );
}

/** Lints both configurations. Returns a finding that occurs only in the second configuration, or `null`. */
async function newFinding({ sandbox, before }: Pipeline, after: string): Promise<string | null> {
  const [old, now] = await Promise.all([lint(sandbox, 'before', before), lint(sandbox, 'after', after)]);
  return now.find((line) => !old.includes(line)) ?? null;
}

const linted = new Map<string, readonly string[]>();

async function lint(sandbox: Sandbox, name: string, text: string): Promise<readonly string[]> {
  const known = linted.get(text);
  if (known !== undefined) return known;
  const file = await sandbox.write(`${name}/Caddyfile`, text);
  const { stdout } = await sandbox.run(['lint', file]);
  const findings = [...stdout.matchAll(/^\S+: (?:warning|error) (SL\d+: [^(]*)/gm)].map(([, finding = '']) => finding);
  linted.set(text, findings);
  return findings;
}

interface State {
  readonly state: string;
  readonly why?: string;
  readonly stage: number;
  readonly stages: readonly string[];
}

async function rollOut(
  { server, traffic, plan, patience, watched }: Pipeline,
  load: (query: string) => Promise<{ status: number; text: string }>,
  untilEnd: boolean,
): Promise<RolloutEnd | null> {
  const began = performance.now();
  const tally: Tally = traffic.count();
  const started = await load(`rollout=${encodeURIComponent(plan)}`);
  const rejected = started.status === 200 ? 'unchanged' : 'rejected';
  if (started.status !== 202)
    return { state: rejected, stage: '', why: started.text, requests: 0, hurt: 0, by: [], seconds: 0 };
  let last: State;
  const limit = untilEnd ? patience : patience / 6;
  for (;;) {
    await sleep(200);
    last = JSON.parse((await server.admin('/rollout')).text) as State;
    if (last.state === 'promoted' || last.state === 'taken_back') break;
    if (performance.now() - began > limit) {
      await server.admin('/rollout/abort', { method: 'POST' });
      break;
    }
  }
  // Waits longer after a completed change, because its mistakes affect requests from now on.
  await sleep(last.state === 'promoted' && watched ? 2000 : 200);
  const by = [...tally.by].toSorted((a, b) => b[1] - a[1]).map(([what, count]) => `${count} ${what}`);
  const { requests, hurt } = tally;
  const stage = last.stages[last.stage] ?? '';
  return {
    state: last.state,
    stage,
    why: last.why ?? '',
    requests,
    hurt,
    by,
    seconds: (performance.now() - began) / 1000,
  };
}
