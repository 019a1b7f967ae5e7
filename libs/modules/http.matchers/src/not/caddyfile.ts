/**
 * `not MATCHER …`, `not { MATCHER …; … }`: each line is a set, none of which may match. Regular expressions in it are not named
 * after the matcher: groups of an expression that must not match are of no use.
 */
import { asJson, readMatchers, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine } from '../common/words.ts';

/** Reads the sets. */
export function readNot(reader: Dispenser): Json {
  const sets: Json[] = [];
  eachLine(reader, () => void sets.push(asJson(readMatchers(reader, ''))));
  return sets;
}
