/** Keys by which route lists find the routes of path patterns. */
import { lowerCase } from '@sluice/base';

/**
 * A key under which every path is found that a pattern can match: the pattern itself, or the folder in which all its
 * paths are. `null` where that would be the root, or where the pattern is about escapes.
 */
export function keyOfPattern(pattern: string): string | null {
  if (pattern.includes('%')) return null;
  const lower = lowerCase(pattern);
  const special = lower.search(/[*?[\\]/);
  if (special < 0) return lower;
  const folder = lower.slice(0, lower.lastIndexOf('/', special) + 1);
  return folder.length < 2 ? null : `${folder}*`;
}
