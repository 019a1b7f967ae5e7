/** What overlays of a fleet may touch: what machines have for themselves, such as addresses. Everything else is the same for all. */
import { formatPointer, isObject, own, parsePointer, type ConfigPath, type Json } from '@sluice/base';

/** Permitted without being asked for; `*` is any key. */
export const usualOverlayPaths: readonly string[] = [
  '/admin',
  '/logging',
  '/storage',
  '/apps/http/http_port',
  '/apps/http/https_port',
  '/apps/http/servers/*/listen',
];

/** Where a merge patch touches what it may not, as a JSON Pointer; `null` for nowhere. */
export function forbiddenPlace(merge: Json, permitted: readonly string[]): string | null {
  const patterns = permitted.map(parsePointer);
  const place = firstOutside(merge, [], patterns);
  return place === null ? null : formatPointer(place);
}

function firstOutside(merge: Json, path: ConfigPath, patterns: readonly ConfigPath[]): ConfigPath | null {
  if (patterns.some((pattern) => contains(pattern, path))) return null;
  // What is an object is gone into; anything else replaces all that is there.
  if (!isObject(merge)) return path;
  for (const key of Object.keys(merge)) {
    const found = firstOutside(own(merge, key) as Json, [...path, key], patterns);
    if (found !== null) return found;
  }
  return null;
}

function contains(pattern: ConfigPath, path: ConfigPath): boolean {
  return pattern.length <= path.length && pattern.every((key, i) => key === '*' || key === path[i]);
}
