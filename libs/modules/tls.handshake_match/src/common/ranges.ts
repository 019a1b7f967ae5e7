/** Address ranges of the matchers that look at addresses. */
import { compileRanges, messageOf, type IpMatcher } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { expandGlobal } from '@sluice/tls-app';

/** Compiles the ranges of an option; `null` without any. A wrong one is an error that names it. */
export function rangesOf(texts: readonly string[] | null | undefined, context: Context, at: string): IpMatcher | null {
  if (texts === null || texts === undefined || texts.length === 0) return null;
  try {
    return compileRanges(texts.map(expandGlobal));
  } catch (error) {
    throw context.error(messageOf(error), at);
  }
}
