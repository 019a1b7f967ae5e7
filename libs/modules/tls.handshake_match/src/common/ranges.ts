/** IP ranges of address matchers. */
import { compileRanges, messageOf, type IpMatcher } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { expandGlobal } from '@sluice/tls-app';

/** Compiles the address ranges of an option; returns `null` if the option contains no ranges. The error names the invalid range. */
export function rangesOf(texts: readonly string[] | null | undefined, context: Context, at: string): IpMatcher | null {
  if (texts === null || texts === undefined || texts.length === 0) return null;
  try {
    return compileRanges(texts.map(expandGlobal));
  } catch (error) {
    throw context.error(messageOf(error), at);
  }
}
