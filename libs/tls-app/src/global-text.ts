/** Texts of options whose placeholders need no request, such as `{env.DOMAIN}`. */
import { compileTemplate, resolveGlobal } from '@sluice/base';
import type { Context, Segment } from '@sluice/registry';

/** Replaces placeholders that the process knows; unknown ones are empty. */
export function expandGlobal(text: string): string {
  return compileTemplate(text, resolveGlobal, 'empty').expand(undefined);
}

/** A URL of http or https in an option, its placeholders replaced. `at` leads to the option, for the error about others. */
export function expandUrl(text: string, context: Context, ...at: Segment[]): URL {
  const url = URL.parse(expandGlobal(text));
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw context.error(`${JSON.stringify(text)} is not an http or https URL`, ...at);
}
