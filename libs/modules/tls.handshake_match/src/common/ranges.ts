/** IP ranges in options of TLS handshake matchers. */
import { compileRanges, messageOf, type IpMatcher } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { expandGlobal } from '@sluice/tls-app';

/** Compiles the IP ranges of an option. Returns `null` if the option is empty. Errors name the invalid range. */
export function rangesOf(texts: readonly string[] | null | undefined, context: Context, at: string): IpMatcher | null {
  if (texts === null || texts === undefined || texts.length === 0) return null;
  try {
    return compileRanges(texts.map(expandGlobal));
  } catch (error) {
    throw context.error(messageOf(error), at);
  }
}
