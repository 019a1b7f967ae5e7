/** Expands options that are read during provisioning. No request exists yet, so only global placeholders work. */
import { compileTemplate, resolveGlobal, type Unknown } from '@sluice/base';

/**
 * Replaces global placeholders such as `{env.*}`. `unknown` determines whether unknown placeholders are kept or replaced with an empty
 * string.
 */
export function resolveGlobalText(text: string, unknown: Unknown = 'empty'): string {
  return compileTemplate<null>(text, resolveGlobal, unknown).expand(null);
}
