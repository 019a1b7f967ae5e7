/** Lint checks, and declarations of handlers and matchers for them. Not part of the main entry, because only lint files need it. */
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
