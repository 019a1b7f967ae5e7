/** All known directives by name, for docs/reference/nginx.md and the check before translation. */
import type { DirectiveRule } from './directive-rule.ts';
import { translated } from './translated.ts';
import { untranslated } from './untranslated.ts';

export const knownDirectives: ReadonlyMap<string, DirectiveRule> = new Map(
  Object.entries({ ...untranslated, ...translated }),
);
