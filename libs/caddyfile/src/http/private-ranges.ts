/** The shortcut `private_ranges` for networks that are not public. */
import { privateRanges } from '@sluice/base';

/** Replaces `private_ranges` by what it stands for. */
export function expandRanges(words: readonly string[]): string[] {
  return words.flatMap((word) => (word === 'private_ranges' ? privateRanges : [word]));
}
