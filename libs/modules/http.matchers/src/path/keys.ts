/** Route index keys of path patterns. */
import { lowerCase } from '@sluice/base';

/**
 * Returns the index key shared by all matching paths: the pattern itself, or the directory that contains the paths. Returns `null` if this
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
