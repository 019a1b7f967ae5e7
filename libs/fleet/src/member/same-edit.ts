/**
 * Determines whether an edit still has the same meaning after other members have changed the document.
 *
 * Keys, `@id`s, and the end of an array are stable addresses. An array index may now refer to a different or modified element, so such an
 * edit is rejected.
 */
import { idKey, isArray, isObject, own, parsePointer, type ConfigPath, type Json, itemAt } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';

/** One step of a path, in a form that doesn't depend on array indexes. */
interface Step {
  /** Addressing mode of an element. `id` means by `@id`, and `end` means after the last element. */
  readonly by: 'key' | 'index' | 'id' | 'end';
  readonly name: string;
}

/** A location in the document that an operation changes. */
interface Touch {
  readonly steps: readonly Step[];
  /** True if the operation moves the elements that follow. */
  readonly moves: boolean;
}

/** Operations of an edit, and the document to which the client's edit was applied. */
export interface Attempt {
  readonly before: Json;
  readonly operations: readonly PatchOperation[];
}

/** Returns the locations that operations change. Each location is resolved in the document that results from the previous operations. */
export function touches({ before, operations }: Attempt): readonly Touch[] {
  return operations.map(({ op, path }) => {
    const steps = stepsOf(before, parsePointer(path));
    const last = steps.at(-1);
    return { steps, moves: op !== 'replace' && (last?.by === 'index' || last?.by === 'id') };
  });
}

/** Reports whether the second attempt of an edit has the same meaning as the first attempt, despite the changes by other members. */
export function isSameEdit(first: Attempt, second: Attempt, others: readonly Touch[]): boolean {
  const mine = touches(first).filter(goesByPlace);
  const now = touches(second).filter(goesByPlace);
  if (mine.length !== now.length || mine.some(({ steps }, i) => !isSamePath(steps, itemAt(now, i).steps))) return false;
  return mine.every((each) => others.every((other) => !disturbs(other, each)));
}

function goesByPlace({ steps }: Touch): boolean {
  return steps.some(({ by }) => by !== 'key');
}

function isSamePath(a: readonly Step[], b: readonly Step[]): boolean {
  return a.length === b.length && a.every((step, i) => isSameStep(step, itemAt(b, i)));
}

function isSameStep(a: Step, b: Step): boolean {
  return a.by === b.by && (a.by === 'end' || a.name === b.name);
}

/** Reports whether another operation changes the meaning of an array index in `mine`. */
function disturbs(other: Touch, mine: Touch): boolean {
  for (const [at, step] of mine.steps.entries()) {
    if (step.by !== 'index') continue;
    const shared = other.steps.slice(0, at);
    if (!shared.every((each, i) => isSameStep(each, itemAt(mine.steps, i)))) continue;
    const there = other.steps[at];
    // The other operation replaced the array itself, or a value that contains the array.
    if (there === undefined) return true;
    const isElement = other.steps.length === at + 1;
    if (isElement && (other.moves || isSameStep(there, step))) return true;
    // A change inside an element does not move the element, but the client has not read the element's new content. Reject an edit that
    // replaces or removes the element.
    if (!isElement && mine.steps.length === at + 1 && isSameStep(there, step)) return true;
  }
  return false;
}

function stepsOf(document: Json, path: ConfigPath): readonly Step[] {
  const steps: Step[] = [];
  for (const [at, name] of path.entries()) {
    const parent = getAt(document, path.slice(0, at));
    steps.push(parent !== undefined && isArray(parent) ? stepInto(parent, name) : { by: 'key', name });
  }
  return steps;
}

function stepInto(parent: readonly Json[], name: string): Step {
  const element = parent[Number(name)];
  if (element === undefined) return { by: 'end', name };
  const id = isObject(element) ? own(element, idKey) : undefined;
  return typeof id === 'string' ? { by: 'id', name: id } : { by: 'index', name };
}
