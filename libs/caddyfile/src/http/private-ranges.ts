/** Shortcut `private_ranges` for private networks. */
import { privateRanges } from '@sluice/base';

/** Replaces `private_ranges` by its networks. */
export function expandRanges(words: readonly string[]): string[] {
  return words.flatMap((word) => (word === 'private_ranges' ? privateRanges : [word]));
}
