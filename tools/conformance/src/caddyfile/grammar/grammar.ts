/**
 * A grammar of Caddyfiles: names in angle brackets stand for one of their alternatives, `<name?>` for that or nothing,
 * `<name*>` for none to three of them, each on a line of its own. Values are chosen so that most files are valid.
 */
import { directiveGrammar } from './directives.ts';
import { globalGrammar } from './globals.ts';
import { matcherGrammar } from './matchers.ts';
import { proxyGrammar } from './proxy.ts';
import { siteGrammar } from './sites.ts';
import { valueGrammar } from './values.ts';
import type { Rules } from './rules.ts';

export const grammar: Rules = {
  ...siteGrammar,
  ...valueGrammar,
  ...globalGrammar,
  ...matcherGrammar,
  ...directiveGrammar,
  ...proxyGrammar,
};
