/** Performs dry runs of the draft, and applies the draft. */
import { signal } from '@preact/signals';
import { ask, reasonOf, Refused } from '../api/client.ts';
import type { Call } from '../api/calls.ts';
import { lacking } from '../api/session.ts';
import type { BehaviorReport, ShadowReport } from '../base/behavior.ts';
import type { TestReport } from '../base/tests.ts';
import type { Operation } from '../base/difference.ts';
import type { Holder } from '../base/held.ts';
import { valueAt } from '../base/json.ts';
import { parsePointer } from '../base/paths.ts';
import {
  applyCall,
  discard,
  draft,
  inForce,
  insert,
  isOutdated,
  readConfiguration,
  rebase,
  remove,
  replace,
  shown,
} from './configuration.ts';
import { readHistory } from './history.ts';
import { go } from './location.ts';
import { say } from './notices.ts';
import { lackToPropose, proposeCall, type ProposalText } from './proposals.ts';

interface PlannedModule {
  readonly id: string;
  readonly path: string;
}

export interface Finding {
  readonly code?: string;
  readonly check: string;
  readonly severity?: 'error' | 'warning' | 'note';
  readonly path: string;
  readonly message: string;
  readonly source?: string;
  readonly known?: boolean;
  readonly fix?: { readonly title: string; readonly operations: readonly Operation[] };
}

/** Effect of a configuration change on a module. */
export type Fate = 'kept' | 'rebuilt' | 'started' | 'stopped';

/** Dry run response. */
export interface Plan {
  readonly changed: boolean;
  readonly patch: readonly Operation[];
  readonly counts: Readonly<Record<Fate, number>>;
  /** Affected modules. For `kept`, only the first modules are listed. */
  readonly modules: Readonly<Record<Fate, readonly PlannedModule[]>>;
  /** Comparison of recorded and generated requests. Absent if the token cannot read requests. */
  readonly behavior?: BehaviorReport;
  /** Comparison of real responses. Absent unless requested. */
  readonly shadow?: ShadowReport;
  /** Results of required tests. Absent if there are none, or if the token cannot read them. */
  readonly tests?: TestReport;
  /** Servers and routes that have connections and requests in flight. Only includes objects that the token can read. */
  readonly held?: readonly Holder[];
  readonly warnings?: readonly Finding[];
}

/** Result of the last dry run, or `null` if there is none. */
export const plan = signal<Plan | null>(null);

/** Reason why the server rejected the draft, or `null`. Kept until the next attempt. */
export const refusal = signal<string | null>(null);

/** True if a policy rejected the draft. The draft can then be submitted as a proposal. */
export const rejectedByPolicy = signal(false);

/** True if the configuration has changed since the draft was started. */
export const outdated = signal(false);

/** True while an admin API call is in progress. */
export const busy = signal(false);

let isWarm = false;

/** Performs an empty dry run once. The server then loads its checks and fills their caches before the first real dry run. */
export function prepareToPlan(): void {
  if (isWarm || lacking(applyCall()) !== null) return;
  isWarm = true;
  ask(applyCall({ dryRun: 'true' })).catch(() => undefined);
}

/** Performs a dry run of the draft. If the token may only propose changes, tests the draft as a proposal. */
export async function tryDraft(): Promise<void> {
  await during(async () => {
    plan.value = null;
    await run('behavior');
  });
}

/** Replays requests through both the draft and the active configuration, and adds the comparison to the dry run's result. */
export async function replayRequests(): Promise<void> {
  await during(() => run('shadow'));
}

async function run(dryRun: 'behavior' | 'shadow'): Promise<void> {
  const call = applyCall({ dryRun });
  const isProposal = lacking(call) !== null && lackToPropose() === null;
  if (isProposal && (await isDraftOutdated())) return;
  plan.value = (await ask(isProposal ? proposeCall(untitled, true, dryRun === 'shadow') : call)).json as Plan;
}

/** Returns the permission that the token lacks for replaying requests, or `null` if it has the permission. */
export function lackToReplay(): string | null {
  return lacking({ method: 'POST', path: '/explain/shadow' });
}

const untitled: ProposalText = { title: 'Draft', reason: '' };

/** Applies a fix to the draft, then performs a dry run. */
export function fixDraft(operations: readonly Operation[]): void {
  for (const { op, path, value = null } of operations) {
    const at = parsePointer(path);
    const parent = valueAt(shown.value, at.slice(0, -1));
    if (op === 'remove') remove(at);
    else if (op === 'add' && Array.isArray(parent)) insert(at, value);
    else if (op === 'add' || op === 'replace') replace(at, value);
  }
  void tryDraft();
}

/** Submits the draft as a proposal and shows the proposal. */
export async function proposeDraft(text: ProposalText): Promise<void> {
  await during(async () => {
    if (await isDraftOutdated()) return;
    const proposed = draft.value;
    const { id } = (await ask(proposeCall(text))).json as { readonly id: number };
    if (draft.value === proposed) discard();
    plan.value = null;
    say('ok', `Created proposal ${id}`);
    go('proposals', { proposal: String(id) });
  });
}

/**
 * Reports whether the configuration has changed since the draft was started. The server performs this check for changes, but not for
 * proposals.
 */
async function isDraftOutdated(): Promise<boolean> {
  await readConfiguration();
  const { entityTag, problem } = inForce.value;
  outdated.value = problem === null && draft.value !== null && draft.value.entityTag !== entityTag;
  return outdated.value;
}

export interface ChangeOptions {
  /** Confirmation timeout, in seconds. After this time, an unconfirmed change is rolled back. */
  readonly confirmWithin?: number;
  /** Stages of a gradual rollout. */
  readonly rollout?: string;
}

/** Returns the call that applies the draft. */
export function changeCall({ rollout, ...options }: ChangeOptions = {}): Call {
  const call = applyCall(options);
  return rollout === undefined ? call : { ...call, query: { ...call.query, rollout } };
}

/** Applies the draft. Resolves only after the server has confirmed the change. */
export async function applyDraft(options: ChangeOptions = {}): Promise<void> {
  await during(async () => {
    const applied = draft.value;
    const { json } = await ask(changeCall(options));
    const { confirmWithin, rollout } = options;
    const saved = (json as { readonly saved?: boolean } | null)?.saved;
    // Keep the draft if it was edited while the change was applied.
    if (draft.value === applied) discard();
    plan.value = null;
    await readConfiguration();
    if (draft.value !== null) rebase(draft.value.value);
    await readHistory();
    if (saved === false) say('bad', 'Change applied, but the server could not save it. It will be lost on restart.');
    else
      say(
        'ok',
        rollout !== undefined
          ? 'Rollout started. The Server view shows its progress.'
          : confirmWithin === undefined
            ? 'Change applied'
            : `Change applied. It will be rolled back after ${confirmWithin} s unless you confirm it.`,
      );
  });
}

/** Runs an admin API call. Sets `busy` during the call, and stores an error. */
async function during(call: () => Promise<void>): Promise<void> {
  busy.value = true;
  refusal.value = null;
  outdated.value = false;
  rejectedByPolicy.value = false;
  try {
    await call();
  } catch (error) {
    if (isOutdated(error)) {
      await readConfiguration();
      outdated.value = inForce.value.problem === null;
    }
    rejectedByPolicy.value = error instanceof Refused && error.code === 'ERR_POLICY';
    refusal.value = reasonOf(error);
  }
  busy.value = false;
}
