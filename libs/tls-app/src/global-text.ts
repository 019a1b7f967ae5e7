/** Expands placeholders in option strings that do not depend on a request, such as `{env.DOMAIN}`. */
import { compileTemplate, resolveGlobal } from '@sluice/base';
import type { Context, Segment } from '@sluice/registry';

/** Expands global placeholders. Unknown placeholders become empty strings. */
export function expandGlobal(text: string): string {
  return compileTemplate(text, resolveGlobal, 'empty').expand(undefined);
}

/** Expands placeholders and parses the result as an http or https URL. `at` is the option path for error messages. */
export function expandUrl(text: string, context: Context, ...at: Segment[]): URL {
  const url = URL.parse(expandGlobal(text));
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw context.error(`${JSON.stringify(text)} is not an http or https URL`, ...at);
}
