/**
 * Whether an edit that runs again, on a document that others have changed, is still the same edit. What is addressed by keys, by
 * `@id` or at the end of an array is. An index of an array may lead to another element than the client saw, or to one that is not
 * as it was: such an edit is refused.
 */
import { idKey, isArray, isObject, own, parsePointer, type ConfigPath, type Json } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';

/** One step of a path, by what it means. */
interface Step {
  /** `id`: an element by its `@id`; `end`: after the last one. */
  readonly by: 'key' | 'index' | 'id' | 'end';
  readonly name: string;
}

/** What an operation is about. */
interface Touch {
  readonly steps: readonly Step[];
  /** Whether the elements after it move. */
  readonly moves: boolean;
}

/** The operations of an edit, and the document that they were made on. */
export interface Attempt {
  readonly before: Json;
  readonly operations: readonly PatchOperation[];
}

/** What the operations of an attempt are about. Each is read on the document that the ones before it have left, which differs by these alone. */
export function touches({ before, operations }: Attempt): readonly Touch[] {
  return operations.map(({ op, path }) => {
    const steps = stepsOf(before, parsePointer(path));
    const last = steps.at(-1);
    return { steps, moves: op !== 'replace' && (last?.by === 'index' || last?.by === 'id') };
  });
}

/** Whether the second attempt at an edit does what the first was to do, after others have touched what they did. */
export function isSameEdit(first: Attempt, second: Attempt, others: readonly Touch[]): boolean {
  const mine = touches(first).filter(goesByPlace);
  const now = touches(second).filter(goesByPlace);
  if (mine.length !== now.length || mine.some(({ steps }, i) => !isSamePath(steps, (now[i] as Touch).steps)))
    return false;
  return mine.every((each) => others.every((other) => !disturbs(other, each)));
}

function goesByPlace({ steps }: Touch): boolean {
  return steps.some(({ by }) => by !== 'key');
}

function isSamePath(a: readonly Step[], b: readonly Step[]): boolean {
  return a.length === b.length && a.every((step, i) => isSameStep(step, b[i] as Step));
}

function isSameStep(a: Step, b: Step): boolean {
  return a.by === b.by && (a.by === 'end' || a.name === b.name);
}

/** Whether another operation makes an index that leads to `mine` mean something else. */
function disturbs(other: Touch, mine: Touch): boolean {
  for (const [at, step] of mine.steps.entries()) {
    if (step.by !== 'index') continue;
    const shared = other.steps.slice(0, at);
    if (!shared.every((each, i) => isSameStep(each, mine.steps[i] as Step))) continue;
    const there = other.steps[at];
    // The array, or a value that contains it, was replaced.
    if (there === undefined) return true;
    const isElement = other.steps.length === at + 1;
    if (isElement && (other.moves || isSameStep(there, step))) return true;
    // A change below an element does not move it, but it is not as the client saw it: who replaces or removes it whole is refused.
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
