/** Ranges of addresses of networks that are not public, for `private_ranges`. */
export const privateRanges: readonly string[] = [
  '192.168.0.0/16',
  '172.16.0.0/12',
  '10.0.0.0/8',
  '127.0.0.1/8',
  'fd00::/8',
  '::1',
];

/** Replaces `private_ranges` by what it stands for. */
export function expandRanges(words: readonly string[]): string[] {
  return words.flatMap((word) => (word === 'private_ranges' ? privateRanges : [word]));
}
