/** Finds the location for a path that is already known during adaptation. */
import { compileRegExp } from '@sluice/base';
import type { Location } from './location-path.ts';

/** Returns the location that handles a path, or `null` if there is none. */
export function findLocation(locations: readonly Location[], path: string): Location | null {
  return search(locations, path).location;
}

interface Found {
  readonly location: Location | null;
  /** True if the regular expressions of outer blocks no longer apply. */
  readonly final: boolean;
}

function search(locations: readonly Location[], path: string): Found {
  const exact = locations.find(({ path: { kind, text } }) => kind === 'exact' && text === path);
  if (exact !== undefined) return { location: exact, final: true };
  const prefix = longest(locations, path);
  const inner = prefix === null ? null : search(prefix.inner, path);
  if (inner?.final === true) return inner;
  if (prefix?.path.kind !== 'preferred') {
    const regex = locations.find(
      ({ path: { kind, text, requirements = [] } }) =>
        kind === 'regex' &&
        matches(text, path) &&
        requirements.every(({ pattern, not }) => matches(pattern, path) !== not),
    );
    if (regex !== undefined) return { location: search(regex.inner, path).location ?? regex, final: true };
  }
  return { location: inner?.location ?? prefix, final: false };
}

function matches(pattern: string, path: string): boolean {
  return compileRegExp(pattern).exec(path) !== null;
}

function longest(locations: readonly Location[], path: string): Location | null {
  let best: Location | null = null;
  for (const location of locations) {
    const { kind, text } = location.path;
    if ((kind !== 'prefix' && kind !== 'preferred') || !path.startsWith(text)) continue;
    if (best === null || text.length > best.path.text.length) best = location;
  }
  return best;
}
