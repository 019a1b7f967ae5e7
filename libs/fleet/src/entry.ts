/** An entry of the log of a fleet: one change of the document, chained to the one before it. */
import { createHash } from 'node:crypto';
import { isArray, isObject, own, syntaxError, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { unreadableError } from './errors.ts';

/** Where the log ends. Revisions are ours, contiguous from 1, whatever the store counts. */
export interface Head {
  /** Chosen when the fleet is made; a store that was restored or replaced by another has another one. */
  readonly lineage: string;
  readonly rev: number;
  /** Of the entry at `rev`; it stands for all entries up to there. */
  readonly hash: string;
}

/** A change, as it is in the log. */
export interface Entry {
  readonly rev: number;
  /** The hash of the entry before; for the first, the lineage. */
  readonly parent: string;
  readonly hash: string;
  /** Names the change: in a log it is there once, however often it was sent. */
  readonly op: string;
  /** The member that made it, and whose token asked for it. */
  readonly who: string;
  /** Milliseconds since 1970, by the clock of that member: to be shown, never to be compared. */
  readonly when: number;
  /** A JSON Patch of `add`, `replace`, `remove` and `test`. */
  readonly patch: JsonArray;
  /** The JSON Patch that takes it back. */
  readonly inverse: JsonArray;
  /** The modules that a member needs for it. */
  readonly requires: readonly string[];
  /** Of a change that is undone unless it is confirmed in so many milliseconds, and of the confirmation of a revision. */
  readonly confirm?: Confirm;
  /** Digest of the request of the client, if that named the change by an `Idempotency-Key`: the key is for this request alone. */
  readonly request?: string;
}

/** What an entry has to do with a confirmation. */
export type Confirm = { readonly within: number } | { readonly of: number };

/** What is needed for an entry beside its place in the log. */
export type Change = Omit<Entry, 'rev' | 'parent' | 'hash'>;

/** The entry of a change that follows `head`. */
export function entryAfter(head: Head, change: Change): Entry {
  const rev = head.rev + 1;
  return { rev, parent: head.hash, hash: hashOf(rev, head.hash, change), ...change };
}

/** Where the log of a new fleet begins: before its first entry. */
export function beginning(lineage: string): Head {
  return { lineage, rev: 0, hash: lineage };
}

/** The head once an entry is in the log. */
export function headAt(lineage: string, { rev, hash }: Pick<Entry, 'rev' | 'hash'>): Head {
  return { lineage, rev, hash };
}

/** Whether an entry is the one that comes after `head`, and is what its hash says. */
export function follows(head: Head, entry: Entry): boolean {
  return entry.rev === head.rev + 1 && entry.parent === head.hash && entry.hash === hashOf(entry.rev, head.hash, entry);
}

/** Whether two heads are the same place of the same log. */
export function sameHead(a: Head | null, b: Head | null): boolean {
  return a === null || b === null ? a === b : a.lineage === b.lineage && a.rev === b.rev && a.hash === b.hash;
}

/** Whether a log that ends at `head`, and has `next` after what was `seen` of it, still has what was seen; a trimmed log cannot tell. */
export function continues(seen: Head, head: Head | null, next: Entry | undefined): boolean {
  if (head === null || head.lineage !== seen.lineage || head.rev < seen.rev) return false;
  if (head.rev === seen.rev) return head.hash === seen.hash;
  return next === undefined || next.rev !== seen.rev + 1 || next.parent === seen.hash;
}

/** As stores keep it: always the same text for the same head, so that it can be compared as text. */
export function encodeHead({ lineage, rev, hash }: Head): string {
  return JSON.stringify({ format: 1, lineage, rev, hash });
}

/** Reads {@link encodeHead}; rejects anything else with ERR_FLEET_UNREADABLE. */
export function decodeHead(text: string): Head {
  return readable('a head', () => {
    const { format, lineage, rev, hash } = objectOf(text);
    if (format !== 1) throw syntaxError(`unsupported format ${JSON.stringify(format)}, expected 1`);
    return { lineage: textOf(lineage), rev: numberOf(rev), hash: textOf(hash) };
  });
}

/** As stores keep it. */
export function encodeEntry(entry: Entry): string {
  const { rev, parent, hash, op, who, when, patch, inverse, requires, confirm, request } = entry;
  return JSON.stringify({ rev, parent, hash, op, who, when, patch, inverse, requires, confirm, request });
}

/** Reads {@link encodeEntry}; rejects anything else with ERR_FLEET_UNREADABLE. */
export function decodeEntry(text: string): Entry {
  return readable('an entry of the log', () => entryOf(text));
}

function entryOf(text: string): Entry {
  const { rev, parent, hash, op, who, when, patch, inverse, requires, confirm, request } = objectOf(text);
  return {
    rev: numberOf(rev),
    parent: textOf(parent),
    hash: textOf(hash),
    op: textOf(op),
    who: textOf(who),
    when: numberOf(when),
    patch: arrayOf(patch),
    inverse: arrayOf(inverse),
    requires: arrayOf(requires).map(textOf),
    ...(confirm === undefined ? {} : { confirm: confirmOf(confirm) }),
    ...(request === undefined ? {} : { request: textOf(request) }),
  };
}

function hashOf(rev: number, parent: string, change: Change): string {
  const { op, who, when, patch, inverse, requires, confirm = null, request } = change;
  const fields = [rev, parent, op, who, when, patch, inverse, requires, confirm];
  return createHash('sha256')
    .update(JSON.stringify(request === undefined ? fields : [...fields, request]))
    .digest('base64url');
}

function confirmOf(value: Json): Confirm {
  if (!isObject(value)) throw notOurs();
  const of = own(value, 'of');
  return of === undefined ? { within: numberOf(own(value, 'within')) } : { of: numberOf(of) };
}

function objectOf(text: string): JsonObject {
  const value = JSON.parse(text) as Json;
  if (!isObject(value)) throw notOurs();
  return Object.fromEntries(Object.keys(value).map((key) => [key, own(value, key) as Json]));
}

function textOf(value: Json | undefined): string {
  if (typeof value !== 'string') throw notOurs();
  return value;
}

function numberOf(value: Json | undefined): number {
  if (typeof value !== 'number') throw notOurs();
  return value;
}

function arrayOf(value: Json | undefined): JsonArray {
  if (value === undefined || !isArray(value)) throw notOurs();
  return value;
}

function notOurs(): Error {
  return syntaxError('it was not written by a fleet member');
}

function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadableError(what, error);
  }
}
