/**
 * A grammar of Caddyfiles. `<name>` stands for one of the rule's alternatives, `<name?>` for one or nothing, and `<name*>` for zero to
 * three, each on its own line. Values are chosen so that most files are valid.
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
