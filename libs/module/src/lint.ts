/** How checks of `sluice lint` are written, and what handlers and matchers say of themselves for them. Loaded by files that have some, so not part of the main entry. */
export {
  caddyfile,
  defineLint,
  lint,
  nativeJson,
  onceForNode,
  textFinder,
  textsIn,
  type Finding,
  type LintCheck,
  type LintedConfiguration,
  type LintExample,
  type Report,
  type ReportDetails,
} from '@sluice/registry';
export type { Aspect, Domain, FlowOf, HandlerFlow, MatcherFacts } from '@sluice/http-app';
