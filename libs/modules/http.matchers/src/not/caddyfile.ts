/** `not MATCHER …`, `not { MATCHER …; … }`: each line is a set, none of which may match. */
import { asJson, readMatchers, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine } from '../common/words.ts';

/** Reads the sets. */
export function readNot(reader: Dispenser): Json {
  const sets: Json[] = [];
  eachLine(reader, () => void sets.push(asJson(readMatchers(reader, reader.matcherName))));
  return sets;
}
