/**
 * Drafts that survive a page reload: edits with their previous values, but without secrets. Secrets that exist in the configuration are
 * replaced with their numbers. New secrets are omitted, because they must not be stored.
 */
import { difference, withPrevious, type Edit } from './difference.ts';
import { insertAt, isEqual, isList, isObject, removeAt, setAt, valueAt, type Json } from './json.ts';
import { parsePointer } from './paths.ts';
import { hidden, isSecret, seal } from './secrets.ts';

export interface KeptDraft {
  readonly entityTag: string;
  readonly edits: readonly Edit[];
  readonly leftOut: number;
}

export interface Draft {
  readonly base: Json | undefined;
  readonly entityTag: string;
  readonly value: Json | undefined;
}

export interface Restored {
  readonly draft: Draft | null;
  /** Number of secrets and edits in a stored draft that could not be restored. */
  readonly lost: number;
}

/** Current configuration with its entity tag. */
export interface Current {
  readonly value: Json | undefined;
  readonly entityTag: string;
}

const known = new WeakMap<object, ReadonlyMap<string, number>>();

/** Returns a map from a document's secrets to their numbers, starting at 1. */
function numbersOf(document: Json | undefined): ReadonlyMap<string, number> {
  if (!isObject(document)) return new Map();
  const numbers =
    known.get(document) ?? new Map(seal(document, []).secrets.map((secret, index) => [secret, index + 1]));
  known.set(document, numbers);
  return numbers;
}

/** Converts a draft to its stored form, without secrets. */
export function keepDraft({ base, entityTag, value }: Draft): KeptDraft {
  const numbers = numbersOf(base);
  let leftOut = 0;
  const without = (each: Json | undefined, path: readonly (string | number)[]): Json | undefined => {
    if (typeof each === 'string' && each !== '' && isSecret(path)) {
      const number = numbers.get(each);
      if (number !== undefined) return `${hidden} ${number}`;
      leftOut += 1;
      return undefined;
    }
    if (isList(each))
      return each.map((item, index) => without(item, [...path, index])).filter((item) => item !== undefined);
    if (!isObject(each)) return each;
    const entries = Object.entries(each).map(([key, item]) => [key, without(item, [...path, key])] as const);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined)) as Json;
  };
  const edits = withPrevious(base, difference(base, value)).flatMap(({ op, path, value: next, previous }): Edit[] => {
    const at = parsePointer(path);
    const before = without(previous, at);
    if (op === 'remove') return [{ op, path, previous: before }];
    const after = without(next, at);
    return after === undefined ? [] : [{ op, path, value: after, previous: before }];
  });
  return { entityTag, edits, leftOut };
}

/**
 * Applies a stored draft to the current configuration. If both changed the same value, the draft's base contains the previous value. A
 * merge can then detect the conflict. `draft` is `null` if no edits are left.
 */
export function restoreDraft({ entityTag, edits, leftOut }: KeptDraft, current: Current): Restored {
  let lost = leftOut;
  const { secrets } = seal(current.value ?? null, []);
  let { value: base } = current;
  let { value } = current;
  for (const { op, path, ...each } of edits) {
    const at = parsePointer(path);
    const isInList = isList(valueAt(value, at.slice(0, -1)));
    const next = each.value === undefined ? undefined : withSecrets(each.value, secrets);
    const previous = each.previous === undefined ? undefined : withSecrets(each.previous, secrets);
    // Skip the edit if its secret can't be restored. In a different configuration, secrets have different numbers.
    if (next === unknown || (entityTag !== current.entityTag && JSON.stringify(each).includes(hidden))) {
      lost += 1;
      continue;
    }
    const now = valueAt(value, at);
    if (op === 'add' && isInList) value = insertAt(value, at, next ?? null);
    else if (op === 'remove' && isInList && !isEqual(now, previous)) continue;
    else value = next === undefined ? removeAt(value, at) : setAt(value, at, next);
    if (isInList || isEqual(now, previous)) continue;
    base = previous === undefined ? removeAt(base, at) : setAt(base, at, previous === unknown ? null : previous);
  }
  return { draft: isEqual(value, current.value) ? null : { base, entityTag, value }, lost };
}

/** Marker for a value whose secret is not in the configuration. */
const unknown: Json = [];

function withSecrets(value: Json, secrets: readonly string[]): Json {
  if (typeof value === 'string' && value.startsWith(hidden))
    return secrets[Number(value.slice(hidden.length)) - 1] ?? unknown;
  if (isList(value)) {
    const items = value.map((item) => withSecrets(item, secrets));
    return items.includes(unknown) ? unknown : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withSecrets(item, secrets)] as const);
  return entries.some(([, item]) => item === unknown) ? unknown : Object.fromEntries(entries);
}
