/** Current configuration and draft. All edits modify the draft, and a single call applies them together. */
import { computed, signal } from '@preact/signals';
import { ask, isUnreachable, reasonOf, Refused } from '../api/client.ts';
import { configCall, type Call } from '../api/calls.ts';
import { readable } from '../api/session.ts';
import { difference, type Operation } from '../base/difference.ts';
import { insertAt, removeAt, setAt, valueAt, type Json, type Path } from '../base/json.ts';
import type { Draft } from '../base/kept-draft.ts';
import { parseAddress, pointerOf } from '../base/paths.ts';

/** Configuration with its entity tag, or the reason why it could not be read. */
interface Reading {
  readonly value: Json | undefined;
  readonly entityTag: string;
  readonly problem: string | null;
}

/**
 * Current configuration, or the part of it that the token can read, at its original path. The document can be several megabytes, so it is
 * read only while a view uses it.
 */
export const inForce = signal<Reading>(
  { value: undefined, entityTag: '', problem: null },
  {
    watched: () => {
      isShown = true;
      if (isFollowed && isOutdatedHere) void readConfiguration();
    },
    unwatched: () => void (isShown = false),
  },
);
let isShown = false;
let isOutdatedHere = true;
/** True if the page receives change events. Until then, a value that was read can be outdated. */
let isFollowed = false;

/** Reason why the configuration could not be read. `null` if it was read, or is not needed yet. */
export const configurationProblem = signal<string | null>(null);

/** Current draft with its base configuration, or `null` if there is no draft. */
export const draft = signal<Draft | null>(null);

/** Previous versions of the draft, latest first. */
const earlier = signal<readonly (Json | undefined)[]>([]);

/** True if the draft has an edit that can be undone. */
export const canUndo = computed(() => earlier.value.length > 0);

/** Path of the configuration part that the token can read. */
export const root = computed<Path>(() => parseAddress(readable.value));

/** The configuration that views show: the draft if there is one, otherwise the current configuration. */
export const shown = computed(() => (draft.value === null ? inForce.value.value : draft.value.value));

export const changes = computed<readonly Operation[]>(() =>
  draft.value === null ? [] : difference(draft.value.base, draft.value.value),
);

/**
 * Marks the configuration as outdated when the page subscribes to changes. A new token may be able to read another part of the
 * configuration.
 */
export function beginConfiguration(): void {
  isFollowed = false;
  isOutdatedHere = true;
}

/** Called when the configuration may have changed. Reads it immediately if a view shows it, or later when a view needs it. */
export function configurationChanged(): void {
  isFollowed = true;
  isOutdatedHere = true;
  if (isShown) void readConfiguration();
}

export async function readConfiguration(): Promise<void> {
  isOutdatedHere = false;
  try {
    const { headers, json } = await ask(configCall('read', root.value));
    inForce.value = { value: setAt({}, root.value, json as Json), entityTag: headers.get('ETag') ?? '', problem: null };
    configurationProblem.value = null;
  } catch (error) {
    isOutdatedHere = true;
    if (isUnreachable(error)) return;
    inForce.value = { ...inForce.value, problem: reasonOf(error) };
    configurationProblem.value = reasonOf(error);
  }
}

/** Edits the draft. Creates a draft if there is none. */
function edit(change: (value: Json | undefined) => Json | undefined): void {
  const { value, entityTag } = inForce.value;
  const current = draft.value ?? { base: value, entityTag, value };
  const next = change(current.value);
  if (next === current.value) return;
  earlier.value = [current.value, ...earlier.value].slice(0, 100);
  draft.value = { ...current, value: next };
}

export function replace(path: Path, value: Json): void {
  edit((document) => setAt(document, path, value));
}

export function insert(path: Path, value: Json): void {
  edit((document) => insertAt(document, path, value));
}

export function remove(path: Path): void {
  edit((document) => (path.length === 0 ? null : removeAt(document, path)));
}

/** Moves a list element to another index. */
export function move(path: Path, to: number): void {
  edit((document) => {
    const value = valueAt(document, path);
    if (value === undefined) return document;
    return insertAt(removeAt(document, path), [...path.slice(0, -1), to], value);
  });
}

export function undo(): void {
  const [last, ...rest] = earlier.value;
  if (draft.value === null || earlier.value.length === 0) return;
  earlier.value = rest;
  draft.value = last === draft.value.base ? null : { ...draft.value, value: last };
}

/** Discards the draft. */
export function discard(): void {
  earlier.value = [];
  draft.value = null;
}

/** Makes the current configuration the base of the draft, after a merge. `value` is the merged document. */
export function rebase(value: Json | undefined): void {
  const { value: base, entityTag } = inForce.value;
  earlier.value = [];
  draft.value = { base, entityTag, value };
}

/** Options for applying a draft. */
export interface ApplyOptions {
  /** Kind of dry run. `behavior` also compares how requests are handled. `shadow` also compares real responses. */
  readonly dryRun?: 'true' | 'behavior' | 'shadow';
  /** Confirmation timeout, in seconds. After this time, an unconfirmed change is rolled back. */
  readonly confirmWithin?: number;
}

/**
 * Returns the call that applies the draft or performs a dry run. The server rejects the call with 412 if another client has changed the
 * configuration.
 */
export function applyCall({ dryRun, confirmWithin }: ApplyOptions = {}): Call {
  return configCall('patch', root.value, {
    query: {
      ...(dryRun === undefined ? {} : { dry_run: dryRun }),
      ...(confirmWithin === undefined ? {} : { confirm_within: `${confirmWithin}s` }),
    },
    headers: {
      'Content-Type': 'application/json-patch+json',
      ...(draft.value?.entityTag ? { 'If-Match': draft.value.entityTag } : {}),
    },
    text: JSON.stringify(
      changes.value.map((each) => ({ ...each, path: each.path.slice(pointerOf(root.value).length) })),
    ),
  });
}

/** Reports whether the server rejected a change because the configuration has changed since it was read. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Refused && error.status === 412;
}
