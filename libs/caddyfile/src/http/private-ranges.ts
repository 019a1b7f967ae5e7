/** Expands the `private_ranges` shortcut for private networks. */
import { privateRanges } from '@sluice/base';

/** Replaces `private_ranges` with the corresponding networks. */
export function expandRanges(words: readonly string[]): string[] {
  return words.flatMap((word) => (word === 'private_ranges' ? privateRanges : [word]));
}
