/**
 * Configuration paths that fleet overlays may change. These are machine-specific values such as addresses. All other values are the same
 * for all fleet members.
 */
import { formatPointer, isObject, own, parsePointer, type ConfigPath, type Json } from '@sluice/base';

/** Default paths that overlays may change. `*` matches any key. */
export const defaultOverlayPaths: readonly string[] = [
  '/admin',
  '/logging',
  '/storage',
  '/apps/http/http_port',
  '/apps/http/https_port',
  '/apps/http/servers/*/listen',
];

/** Returns the first forbidden path that a merge patch changes, as a JSON Pointer. Returns `null` if all changes are permitted. */
export function forbiddenPlace(merge: Json, permitted: readonly string[]): string | null {
  const patterns = permitted.map(parsePointer);
  const place = firstOutside(merge, [], patterns);
  return place === null ? null : formatPointer(place);
}

function firstOutside(merge: Json, path: ConfigPath, patterns: readonly ConfigPath[]): ConfigPath | null {
  if (patterns.some((pattern) => contains(pattern, path))) return null;
  // Recurse into objects. Any other value replaces the entire value at its path.
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
