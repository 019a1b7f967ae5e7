/** Evaluates matcher sets of layer 4 routes. */
import type { Layer4Connection } from '../connection/connection.ts';
import type { Layer4Matcher, Verdict } from '../contracts.ts';

/** Matchers of one set, all of which must match. */
export type Layer4MatcherSet = readonly Layer4Matcher[];

/**
 * Reports whether any matcher set matches. An empty list matches nothing. A set fails as soon as one matcher fails, even if other matchers
 * still need bytes. Waiting for bytes therefore never changes the result.
 */
export function matchLayer4Sets(
  sets: readonly Layer4MatcherSet[],
  connection: Layer4Connection,
  bytes: Buffer,
  end: number,
): Verdict | Promise<boolean> {
  if (sets.length === 0) return true;
  let undecided = false;
  for (let i = 0; i < sets.length; i++) {
    const matched = matchSet(sets[i] as Layer4MatcherSet, connection, bytes, end);
    if (matched === true) return true;
    if (matched === null) undecided = true;
    else if (matched !== false) return matchLater({ sets, connection, bytes, end }, i, matched);
  }
  return undecided ? null : false;
}

function matchSet(
  set: Layer4MatcherSet,
  connection: Layer4Connection,
  bytes: Buffer,
  end: number,
): Verdict | Promise<boolean> {
  let undecided = false;
  let waits: Promise<boolean>[] | null = null;
  for (let i = 0; i < set.length; i++) {
    const matched = (set[i] as Layer4Matcher).match(connection, bytes, end);
    if (matched === false) return false;
    if (matched === null) undecided = true;
    else if (matched !== true) (waits ??= []).push(matched);
  }
  if (undecided) return null;
  return waits === null ? true : Promise.all(waits).then(allTrue);
}

function allTrue(results: readonly boolean[]): boolean {
  return results.every(Boolean);
}

interface Input {
  readonly sets: readonly Layer4MatcherSet[];
  readonly connection: Layer4Connection;
  readonly bytes: Buffer;
  readonly end: number;
}

/**
 * Waits for an undecided matcher set, and then evaluates the remaining sets. Works on a copy of the bytes, because the original is
 * overwritten.
 */
async function matchLater(
  { sets, connection, bytes, end }: Input,
  at: number,
  first: Promise<boolean>,
): Promise<boolean> {
  const copy = Buffer.from(bytes.subarray(0, end));
  if (await first) return true;
  for (let i = at + 1; i < sets.length; i++)
    if ((await matchSet(sets[i] as Layer4MatcherSet, connection, copy, end)) === true) return true;
  return false;
}
