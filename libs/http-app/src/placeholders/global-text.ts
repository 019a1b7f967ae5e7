/** Texts of options that are read while provisioning, when there is no request: only global placeholders count. */
import { compileTemplate, resolveGlobal } from '@sluice/registry';

/** Replaces `{env.*}` and the like; what is not known becomes nothing. */
export function resolveGlobalText(text: string): string {
  return compileTemplate<null>(text, resolveGlobal, 'empty').expand(null);
}
