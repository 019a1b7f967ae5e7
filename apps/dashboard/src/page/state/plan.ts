/** Dry runs of the draft, and applying it. */
import { signal } from '@preact/signals';
import { ask, reasonOf } from '../api/client.ts';
import type { Call } from '../api/calls.ts';
import { lacking } from '../api/session.ts';
import type { Operation } from '../base/difference.ts';
import type { Holder } from '../base/held.ts';
import { applyCall, discard, draft, inForce, isOutdated, readConfiguration, rebase } from './configuration.ts';
import { readHistory } from './history.ts';
import { say } from './notices.ts';

interface PlannedModule {
  readonly id: string;
  readonly path: string;
}

/** A lint finding. */
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

/** Recorded requests that the draft would handle differently. */
export interface Comparison {
  readonly compared: number;
  readonly count: number;
  readonly elsewhere: readonly {
    readonly request: { readonly method: string; readonly url: string };
    readonly before: { readonly route: string | null; readonly status: number };
    readonly after: { readonly route: string | null; readonly status: number };
  }[];
}

/** Effect of a change on a module. */
export type Fate = 'kept' | 'rebuilt' | 'started' | 'stopped';

/** Dry run response. */
export interface Plan {
  readonly changed: boolean;
  readonly patch: readonly Operation[];
  readonly counts: Readonly<Record<Fate, number>>;
  /** First of the kept modules only. */
  readonly modules: Readonly<Record<Fate, readonly PlannedModule[]>>;
  readonly requests?: Comparison;
  /** Connections and requests in flight, as far as the token can read them. */
  readonly held?: readonly Holder[];
  readonly warnings?: readonly Finding[];
}

/** Result of the dry run, or `null` if none exists. */
export const plan = signal<Plan | null>(null);

/** Reason for rejecting the draft. Kept until the next attempt. */
export const refusal = signal<string | null>(null);

/** True if the configuration has changed since the draft was started. */
export const outdated = signal(false);

/** True while a call is in progress. */
export const busy = signal(false);

let isWarm = false;

/** Runs an empty dry run once, so that the server loads its checks and fills their caches before the first real dry run. */
export function prepareToPlan(): void {
  if (isWarm || lacking(applyCall()) !== null) return;
  isWarm = true;
  ask(applyCall({ dryRun: true })).catch(() => undefined);
}

/** Starts a dry run of the draft. */
export async function tryDraft(): Promise<void> {
  await during(async () => {
    plan.value = null;
    plan.value = (await ask(applyCall({ dryRun: true }))).json as Plan;
  });
}

/** Options for applying a draft. */
export interface ChangeOptions {
  /** Seconds until the unconfirmed change is rolled back. */
  readonly confirmWithin?: number;
  /** Stages of a rollout in a fleet. */
  readonly rollout?: string;
}

/** Returns the call that applies the draft. */
export function changeCall({ rollout, ...options }: ChangeOptions = {}): Call {
  const call = applyCall(options);
  return rollout === undefined ? call : { ...call, query: { ...call.query, rollout } };
}

/** Applies the draft. Succeeds only after confirmation by the server. */
export async function applyDraft(options: ChangeOptions = {}): Promise<void> {
  await during(async () => {
    const applied = draft.value;
    const { json } = await ask(changeCall(options));
    const { confirmWithin, rollout } = options;
    const saved = (json as { readonly saved?: boolean } | null)?.saved;
    // Edits made in the meantime stay in the draft.
    if (draft.value === applied) discard();
    plan.value = null;
    await readConfiguration();
    if (draft.value !== null) rebase(draft.value.value);
    await readHistory();
    if (saved === false)
      say('bad', 'Change applied, but the server could not save it. It would be lost after a restart.');
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

/** Makes a call and stores its error. */
async function during(call: () => Promise<void>): Promise<void> {
  busy.value = true;
  refusal.value = null;
  outdated.value = false;
  try {
    await call();
  } catch (error) {
    if (isOutdated(error)) {
      await readConfiguration();
      outdated.value = inForce.value.problem === null;
    }
    refusal.value = reasonOf(error);
  }
  busy.value = false;
}
