/**
 * History of applied changes, for inspection and rollback. Stores only forward and reverse patches. The values in patches share nodes with
 * the documents. The cost of a change therefore depends on the size of the change, not on the size of the document. Earlier documents are
 * reconstructed on demand.
 */
import type { AppliedChange, PatchOperation } from '@sluice/registry';
import { pathError, type Json } from '@sluice/base';
import { diff } from '../document/diff.ts';
import { applyOperations } from '../document/patch.ts';
import { shareSubtrees } from '../document/share.ts';

export type HistoryEntry = Omit<AppliedChange, 'before' | 'document'>;

/** Limits of the history. The oldest changes are dropped first. The newest change is always kept. */
export interface HistoryLimits {
  /** Maximum number of changes. Default: 100. */
  readonly entries: number;
  /** Maximum total number of JSON values in all patches. Every 64 characters of a string count as an additional value. Default: 500,000. */
  readonly values: number;
}

interface Kept extends HistoryEntry {
  /** Operations that reconstruct the previous document. */
  readonly undo: readonly PatchOperation[];
  readonly values: number;
}

/** Stores the changes that the reconciler has applied. */
export class History {
  readonly #limits: HistoryLimits;
  #kept: Kept[] = [];
  #values = 0;

  constructor(limits: Partial<HistoryLimits> = {}) {
    this.#limits = { entries: 100, values: 500_000, ...limits };
  }

  get entries(): readonly HistoryEntry[] {
    return this.#kept.toReversed();
  }

  /** Returns the change that created a revision. Returns `null` if it is not in the history. */
  find(revision: number): HistoryEntry | null {
    return this.#kept.find((entry) => entry.revision === revision) ?? null;
  }

  /** Returns the document at a revision. Returns `null` if the history doesn't contain the revision. `current` is the active document. */
  documentAt(revision: number, current: Json): { readonly document: Json } | null {
    const index = this.#kept.findIndex((entry) => entry.revision === revision);
    if (index < 0) return null;
    let document = current;
    for (const { undo } of this.#kept.slice(index + 1).toReversed()) document = applyOperations(document, undo);
    return { document };
  }

  /** Returns the document before a revision. Returns `null` if the revision is not in the history. */
  documentBefore(revision: number, current: Json): { readonly document: Json } | null {
    const index = this.#kept.findIndex((entry) => entry.revision === revision);
    if (index < 0) return null;
    let document = current;
    for (const { undo } of this.#kept.slice(index).toReversed()) document = applyOperations(document, undo);
    return { document };
  }

  /** Records a change. `undo` contains the operations that reconstruct the previous document. */
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

/** Describes a change relative to an earlier document, such as the last document before a restart. */
export function relativeTo(entry: HistoryEntry, then: Json, document: Json): AppliedChange {
  const before = shareSubtrees(document, then);
  return { ...entry, operations: diff(before, document), before, document };
}

/** Throws an error with status 404 because a revision is not in the history. */
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
