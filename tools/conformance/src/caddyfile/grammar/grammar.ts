/**
 * A grammar of Caddyfiles. `<name>` stands for one of the rule's alternatives, `<name?>` for zero or one, and `<name*>` for zero to three,
 * each on a separate line. Values are chosen to make most files valid.
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
