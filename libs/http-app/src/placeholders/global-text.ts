/** Texts of options that are read while provisioning, when there is no request: only global placeholders count. */
import { compileTemplate, resolveGlobal, type Unknown } from '@sluice/base';

/** Replaces `{env.*}` and the like; names that are not known become nothing, or stay as they are. */
export function resolveGlobalText(text: string, unknown: Unknown = 'empty'): string {
  return compileTemplate<null>(text, resolveGlobal, unknown).expand(null);
}
