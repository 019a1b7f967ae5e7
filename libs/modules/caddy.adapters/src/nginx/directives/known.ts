/** All directives that are known, by name: of docs/reference/nginx.md, and of the check before they are translated. */
import type { DirectiveRule } from './directive-rule.ts';
import { translated } from './translated.ts';
import { untranslated } from './untranslated.ts';

export const knownDirectives: ReadonlyMap<string, DirectiveRule> = new Map(
  Object.entries({ ...untranslated, ...translated }),
);
