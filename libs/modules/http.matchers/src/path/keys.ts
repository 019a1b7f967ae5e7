/** Index keys for path patterns. */
import { lowerCase } from '@sluice/base';

/**
 * Returns a key for finding every matching path: the pattern itself, or the directory that contains all its paths. Returns `null` if this
 * directory is the root, or if the pattern contains escapes.
 */
export function keyOfPattern(pattern: string): string | null {
  if (pattern.includes('%')) return null;
  const lower = lowerCase(pattern);
  const special = lower.search(/[*?[\\]/);
  if (special < 0) return lower;
  const folder = lower.slice(0, lower.lastIndexOf('/', special) + 1);
  return folder.length < 2 ? null : `${folder}*`;
}
