/** The configuration in force, and the draft of another one. All edits go to the draft; one call applies them together. */
import { computed, signal } from '@preact/signals';
import { ask, isUnreachable, reasonOf, Refused } from '../api/client.ts';
import { configCall, type Call } from '../api/calls.ts';
import { readable } from '../api/session.ts';
import { difference, type Operation } from '../base/difference.ts';
import { insertAt, removeAt, setAt, valueAt, type Json, type Path } from '../base/json.ts';
import { parseAddress, pointerOf } from '../base/paths.ts';

/** A configuration as it was read, or why it was not. */
interface Reading {
  readonly value: Json | undefined;
  readonly entityTag: string;
  readonly problem: string | null;
}

/**
 * The configuration in force, or the part of it that may be read, at its place in the whole. It may have megabytes, so it is
 * read only while something on the page shows it.
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
/** Changes are told of. What is read before that could miss one. */
let isFollowed = false;

/** Why the configuration could not be read; `null` if it was, or was not needed yet. */
export const configurationProblem = signal<string | null>(null);

/** What the draft began with, and the draft; `null` while nothing is edited. */
export const draft = signal<{
  readonly base: Json | undefined;
  readonly entityTag: string;
  readonly value: Json | undefined;
} | null>(null);

/** Drafts before the last edits, the latest first. */
const earlier: (Json | undefined)[] = [];

/** The part that may be read, as a path. */
export const root = computed<Path>(() => parseAddress(readable.value));

/** What views show: the draft, or what is in force. */
export const shown = computed(() => (draft.value === null ? inForce.value.value : draft.value.value));

/** What the draft would change. */
export const changes = computed<readonly Operation[]>(() =>
  draft.value === null ? [] : difference(draft.value.base, draft.value.value),
);

/** The page begins to follow changes, with a token that may see another part. */
export function beginConfiguration(): void {
  isFollowed = false;
  isOutdatedHere = true;
}

/** The configuration has changed, or may have: it is read now, or when something shows it. */
export function configurationChanged(): void {
  isFollowed = true;
  isOutdatedHere = true;
  if (isShown) void readConfiguration();
}

/** Reads what is in force. */
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

/** Begins an edit, or goes on with it. */
function edit(change: (value: Json | undefined) => Json | undefined): void {
  const { value, entityTag } = inForce.value;
  const current = draft.value ?? { base: value, entityTag, value };
  const next = change(current.value);
  if (next === current.value) return;
  earlier.unshift(current.value);
  earlier.splice(100);
  draft.value = { ...current, value: next };
}

/** Replaces a value, or adds it. */
export function replace(path: Path, value: Json): void {
  edit((document) => setAt(document, path, value));
}

/** Inserts into a list. */
export function insert(path: Path, value: Json): void {
  edit((document) => insertAt(document, path, value));
}

/** Removes a value. */
export function remove(path: Path): void {
  edit((document) => (path.length === 0 ? null : removeAt(document, path)));
}

/** Moves an element of a list. */
export function move(path: Path, to: number): void {
  edit((document) => {
    const value = valueAt(document, path);
    if (value === undefined) return document;
    return insertAt(removeAt(document, path), [...path.slice(0, -1), to], value);
  });
}

/** Takes the last edit back. */
export function undo(): void {
  if (draft.value === null || earlier.length === 0) return;
  draft.value = { ...draft.value, value: earlier.shift() };
  if (earlier.length === 0) draft.value = null;
}

/** Drops all edits. */
export function discard(): void {
  earlier.length = 0;
  draft.value = null;
}

/** The draft on top of another configuration, after it was merged with that. */
export function rebase(value: Json | undefined): void {
  const { value: base, entityTag } = inForce.value;
  draft.value = { base, entityTag, value };
}

/** How a draft is applied. */
export interface ApplyOptions {
  readonly dryRun?: boolean;
  /** Seconds after which it is undone unless it is confirmed. */
  readonly confirmWithin?: number;
}

/** The one call that applies the draft, or tries it. It is refused with 412 where another client was faster. */
export function applyCall({ dryRun = false, confirmWithin }: ApplyOptions = {}): Call {
  return configCall('patch', root.value, {
    query: {
      ...(dryRun ? { dry_run: true } : {}),
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

/** Whether a refusal says that what was edited has changed meanwhile. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Refused && error.status === 412;
}
