/**
 * The last applied changes, so that they can be looked at and gone back to. Of each only the patches are kept, forward and
 * back, whose values are nodes of the documents of that time: a change costs what it is worth, not what the document
 * weighs, and an earlier document is made when it is asked for.
 */
import type { AppliedChange, PatchOperation } from '@sluice/registry';
import { pathError, type Json } from '@sluice/base';
import { diff } from '../document/diff.ts';
import { applyOperations } from '../document/patch.ts';
import { shareSubtrees } from '../document/share.ts';

/** An applied change, without the documents around it. */
export type HistoryEntry = Omit<AppliedChange, 'before' | 'document'>;

/** How much is kept; the oldest goes first, the newest always stays. */
export interface HistoryLimits {
  /** Changes. Default 100. */
  readonly entries: number;
  /** JSON values in the patches of all changes together, each 64 characters of a text being one more. Default 500,000. */
  readonly values: number;
}

interface Kept extends HistoryEntry {
  /** What makes the document before of the one after. */
  readonly undo: readonly PatchOperation[];
  readonly values: number;
}

/** Keeps changes; the reconciler records them. */
export class History {
  readonly #limits: HistoryLimits;
  #kept: Kept[] = [];
  #values = 0;

  constructor(limits: Partial<HistoryLimits> = {}) {
    this.#limits = { entries: 100, values: 500_000, ...limits };
  }

  /** What is kept, newest first. */
  get entries(): readonly HistoryEntry[] {
    return this.#kept.toReversed();
  }

  /** The change that led to a revision, or `null` if it is not kept. */
  find(revision: number): HistoryEntry | null {
    return this.#kept.find((entry) => entry.revision === revision) ?? null;
  }

  /** The document as of a kept revision, or `null` if that is not kept. `current` is the one in force. */
  documentAt(revision: number, current: Json): { readonly document: Json } | null {
    const index = this.#kept.findIndex((entry) => entry.revision === revision);
    if (index < 0) return null;
    let document = current;
    for (const { undo } of this.#kept.slice(index + 1).toReversed()) document = applyOperations(document, undo);
    return { document };
  }

  /** The document before the change that led to a kept revision, or `null` if that is not kept. */
  documentBefore(revision: number, current: Json): { readonly document: Json } | null {
    const index = this.#kept.findIndex((entry) => entry.revision === revision);
    if (index < 0) return null;
    let document = current;
    for (const { undo } of this.#kept.slice(index).toReversed()) document = applyOperations(document, undo);
    return { document };
  }

  /** Takes a change in. `undo` makes the document before it of the one after it. */
  record(entry: HistoryEntry, undo: readonly PatchOperation[]): void {
    const values = countValues(entry.operations) + countValues(undo);
    this.#kept.push({ ...entry, undo, values });
    this.#values += values;
    while (this.#kept.length > 1 && this.#isTooMuch()) this.#values -= this.#kept.shift()?.values ?? 0;
  }

  #isTooMuch(): boolean {
    return this.#kept.length > this.#limits.entries || this.#values > this.#limits.values;
  }
}

/** A change told as one of an earlier document, such as the last one before a restart. */
export function sinceThen(entry: HistoryEntry, then: Json, document: Json): AppliedChange {
  const before = shareSubtrees(document, then);
  return { ...entry, operations: diff(before, document), before, document };
}

/** Throws the error of status 404 for a revision that is not kept. */
export function notKept(revision: number): never {
  throw pathError(`revision ${revision} is not in the history, which keeps only recent changes`, 404);
}

function countValues(operations: readonly PatchOperation[]): number {
  let count = operations.length;
  for (const operation of operations) if (operation.op !== 'remove') count += valuesIn(operation.value);
  return count;
}

function valuesIn(value: Json): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const child of Object.values<Json>(value)) count += valuesIn(child);
  return count;
}
