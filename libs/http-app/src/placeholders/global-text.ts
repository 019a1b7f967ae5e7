/** Expands options that are read during provisioning, without a request: only global placeholders work. */
import { compileTemplate, resolveGlobal, type Unknown } from '@sluice/base';

/**
 * Replaces global placeholders such as `{env.*}`. Unknown placeholders become empty or remain, depending on `unknown`.
 */
export function resolveGlobalText(text: string, unknown: Unknown = 'empty'): string {
  return compileTemplate<null>(text, resolveGlobal, unknown).expand(null);
}
