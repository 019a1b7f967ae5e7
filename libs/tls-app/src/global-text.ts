/** Texts of options whose placeholders need no request, such as `{env.DOMAIN}`. */
import { compileTemplate, resolveGlobal } from '@sluice/registry';

/** Replaces placeholders that the process knows; unknown ones are empty. */
export function expandGlobal(text: string): string {
  return compileTemplate(text, resolveGlobal, 'empty').expand(undefined);
}
