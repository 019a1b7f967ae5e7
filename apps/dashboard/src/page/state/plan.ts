/** What the draft would do, as the server's dry run says it; and applying it. */
import { signal } from '@preact/signals';
import { ask, reasonOf } from '../api/client.ts';
import type { Call } from '../api/calls.ts';
import { lacking } from '../api/session.ts';
import type { Operation } from '../base/difference.ts';
import type { Holder } from '../base/held.ts';
import { applyCall, discard, draft, inForce, isOutdated, readConfiguration, rebase } from './configuration.ts';
import { readHistory } from './history.ts';
import { say } from './notices.ts';

/** A module in a plan. */
interface PlannedModule {
  readonly id: string;
  readonly path: string;
}

/** What a check says. */
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

/** Where requests that were recorded would go. */
export interface Comparison {
  readonly compared: number;
  readonly count: number;
  readonly elsewhere: readonly {
    readonly request: { readonly method: string; readonly url: string };
    readonly before: { readonly route: string | null; readonly status: number };
    readonly after: { readonly route: string | null; readonly status: number };
  }[];
}

/** What becomes of modules. */
export type Fate = 'kept' | 'rebuilt' | 'started' | 'stopped';

/** The response of a dry run. */
export interface Plan {
  readonly changed: boolean;
  readonly patch: readonly Operation[];
  readonly counts: Readonly<Record<Fate, number>>;
  /** Of those that are kept only the first. */
  readonly modules: Readonly<Record<Fate, readonly PlannedModule[]>>;
  readonly requests?: Comparison;
  /** What holds something, as far as the client may see that. */
  readonly held?: readonly Holder[];
  readonly warnings?: readonly Finding[];
}

/** The plan that is shown; `null` while none is. */
export const plan = signal<Plan | null>(null);

/** Why the draft was refused: by the dry run, or when it was applied. It stays until the next try. */
export const refusal = signal<string | null>(null);

/** Whether what was edited has changed meanwhile. */
export const outdated = signal(false);

/** Whether a call is under way. */
export const busy = signal(false);

let isWarm = false;

/** Lets the server try nothing, once: so the first plan need not wait until it has loaded its checks and looked at everything. */
export function prepareToPlan(): void {
  if (isWarm || lacking(applyCall()) !== null) return;
  isWarm = true;
  ask(applyCall({ dryRun: true })).catch(() => undefined);
}

/** Tries the draft. */
export async function tryDraft(): Promise<void> {
  await during(async () => {
    plan.value = null;
    plan.value = (await ask(applyCall({ dryRun: true }))).json as Plan;
  });
}

/** How a draft becomes what is in force. */
export interface ChangeOptions {
  /** Seconds after which it is undone unless it is confirmed. */
  readonly confirmWithin?: number;
  /** Stages in which the members of a fleet get it. */
  readonly rollout?: string;
}

/** The call that applies the draft. */
export function changeCall({ rollout, ...options }: ChangeOptions = {}): Call {
  const call = applyCall(options);
  return rollout === undefined ? call : { ...call, query: { ...call.query, rollout } };
}

/** Applies it. It counts as applied when the server says so, and not before. */
export async function applyDraft(options: ChangeOptions = {}): Promise<void> {
  await during(async () => {
    const applied = draft.value;
    const { json } = await ask(changeCall(options));
    const { confirmWithin, rollout } = options;
    const saved = (json as { readonly saved?: boolean } | null)?.saved;
    // What was edited while the server worked stays a draft.
    if (draft.value === applied) discard();
    plan.value = null;
    await readConfiguration();
    if (draft.value !== null) rebase(draft.value.value);
    await readHistory();
    if (saved === false) say('bad', 'The change is in force, but could not be saved: it would be lost in a restart.');
    else
      say(
        'ok',
        rollout !== undefined
          ? 'The roll-out has begun; the view of the server shows how far it is'
          : confirmWithin === undefined
            ? 'The change is in force'
            : `The change is in force for ${confirmWithin} s, unless you confirm it`,
      );
  });
}

/** Makes a call, and keeps why it was refused. */
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
