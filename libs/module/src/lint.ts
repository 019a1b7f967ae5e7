/**
 * Lint checks, and the declarations that handlers and matchers provide for them. They have a separate entry point, because only lint files
 * need them.
 */
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
