/** All known nginx directives by name. Used by docs/reference/nginx.md and by the check before translation. */
import type { DirectiveRule } from './directive-rule.ts';
import { translated } from './translated.ts';
import { untranslated } from './untranslated.ts';

export const knownDirectives: ReadonlyMap<string, DirectiveRule> = new Map(
  Object.entries({ ...untranslated, ...translated }),
);
