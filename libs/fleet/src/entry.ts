/** Entries of the fleet log. An entry is one change to the document. It refers to the previous entry by hash. */
import { createHash } from 'node:crypto';
import { isArray, isObject, own, syntaxError, type Json, type JsonArray, type JsonObject } from '@sluice/base';
import { unreadableError } from './errors.ts';

/** Position of the last log entry. Revisions are consecutive numbers starting at 1. They are independent of the store's own revisions. */
export interface Head {
  /** Random ID of the fleet's history (lineage). The ID changes when the store is restored or replaced. */
  readonly lineage: string;
  readonly rev: number;
  /** Hash of the log entry at `rev`. The hash also covers all previous entries. */
  readonly hash: string;
}

/** A log entry, which contains one change to the document. */
export interface Entry {
  readonly rev: number;
  /** Hash of the previous entry. For the first entry, this is the lineage. */
  readonly parent: string;
  readonly hash: string;
  /** Operation ID of the change. Each ID occurs only once in a log, even if a client sent the change several times. */
  readonly op: string;
  /** Author of the change: the member name and the client's token name. */
  readonly who: string;
  /**
   * Creation time in milliseconds since the Unix epoch, according to the member's clock. For display only, because the clocks of members
   * differ.
   */
  readonly when: number;
  /** JSON Patch with the operations `add`, `replace`, `remove`, and `test`. */
  readonly patch: JsonArray;
  /** JSON Patch that reverts the change. */
  readonly inverse: JsonArray;
  /** Modules that a member must have to load the change. */
  readonly requires: readonly string[];
  /** Confirmation timeout of the change in milliseconds, or the revision that this entry confirms. */
  readonly confirm?: Confirm;
  /** Digest of the client's request, if the request had an `Idempotency-Key`. A key may be reused only for the same request. */
  readonly request?: string;
}

/** Confirmation state of a log entry. */
export type Confirm = { readonly within: number } | { readonly of: number };

/** A log entry without its position in the log. */
export type Change = Omit<Entry, 'rev' | 'parent' | 'hash'>;

/** Creates the log entry for a change that follows `head`. */
export function entryAfter(head: Head, change: Change): Entry {
  const rev = head.rev + 1;
  return { rev, parent: head.hash, hash: hashOf(rev, head.hash, change), ...change };
}

/** Returns the head of an empty log. */
export function beginning(lineage: string): Head {
  return { lineage, rev: 0, hash: lineage };
}

/** Returns the head of a log that ends with the given entry. */
export function headAt(lineage: string, { rev, hash }: Pick<Entry, 'rev' | 'hash'>): Head {
  return { lineage, rev, hash };
}

/** Reports whether an entry directly follows `head` and matches its own hash. */
export function follows(head: Head, entry: Entry): boolean {
  return entry.rev === head.rev + 1 && entry.parent === head.hash && entry.hash === hashOf(entry.rev, head.hash, entry);
}

/** Reports whether two heads represent the same position in the same log. */
export function sameHead(a: Head | null, b: Head | null): boolean {
  return a === null || b === null ? a === b : a.lineage === b.lineage && a.rev === b.rev && a.hash === b.hash;
}

/**
 * Reports whether a log with the given head still contains the position `seen`. `next` is the entry directly after `seen`. If the log has
 * been trimmed, the position cannot be verified.
 */
export function continues(seen: Head, head: Head | null, next: Entry | undefined): boolean {
  if (head === null || head.lineage !== seen.lineage || head.rev < seen.rev) return false;
  if (head.rev === seen.rev) return head.hash === seen.hash;
  return next === undefined || next.rev !== seen.rev + 1 || next.parent === seen.hash;
}

/** Serializes a head. Equal heads yield equal strings, so stores can compare the strings. */
export function encodeHead({ lineage, rev, hash }: Head): string {
  return JSON.stringify({ format: 1, lineage, rev, hash });
}

/** Parses the output of {@link encodeHead}. Throws `ERR_FLEET_UNREADABLE` if the text is invalid. */
export function decodeHead(text: string): Head {
  return readable('a head', () => {
    const { format, lineage, rev, hash } = objectOf(text);
    if (format !== 1) throw syntaxError(`unsupported format ${JSON.stringify(format)}, expected 1`);
    return { lineage: textOf(lineage), rev: numberOf(rev), hash: textOf(hash) };
  });
}

/** Serializes an entry. */
export function encodeEntry(entry: Entry): string {
  const { rev, parent, hash, op, who, when, patch, inverse, requires, confirm, request } = entry;
  return JSON.stringify({ rev, parent, hash, op, who, when, patch, inverse, requires, confirm, request });
}

/** Parses the output of {@link encodeEntry}. Throws `ERR_FLEET_UNREADABLE` if the text is invalid. */
export function decodeEntry(text: string): Entry {
  return readable('a log entry', () => entryOf(text));
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
  return syntaxError('the value was not written by a fleet member');
}

function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadableError(what, error);
  }
}
