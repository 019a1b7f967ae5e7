/** The checks of this package, each loaded when something is linted. */
import { lintChecks, type LintContribution, type Registry } from '@sluice/registry';

const contributions: readonly LintContribution[] = [
  { name: 'SL001', load: async () => (await import('./checks/route-after-end.ts')).routeAfterEnd },
  { name: 'SL002', load: async () => (await import('./checks/shadowed-route.ts')).shadowedRoute },
  { name: 'SL003', load: async () => (await import('./checks/repeated-matchers.ts')).repeatedMatchers },
  { name: 'SL004', load: async () => (await import('./checks/decided-group.ts')).decidedGroup },
  { name: 'SL005', load: async () => (await import('./checks/contradicting-matchers.ts')).contradictingMatchers },
  { name: 'SL006', load: async () => (await import('./checks/empty-matcher.ts')).emptyMatcher },
  { name: 'SL007', load: async () => (await import('./checks/stripped-prefix.ts')).strippedPrefix },
  { name: 'SL008', load: async () => (await import('./checks/path-prefix.ts')).pathPrefix },
  { name: 'SL009', load: async () => (await import('./checks/missed-by-wildcard.ts')).missedByWildcard },
  { name: 'SL010', load: async () => (await import('./checks/unserved-scheme.ts')).unservedScheme },
  { name: 'SL011', load: async () => (await import('./checks/idle-error-route.ts')).idleErrorRoute },
  { name: 'SL012', load: async () => (await import('./checks/named-routes.ts')).namedRoutes },
  { name: 'SL013', load: async () => (await import('./checks/silent-host.ts')).silentHost },
  { name: 'SL018', load: async () => (await import('./checks/misspelt-placeholder.ts')).misspeltPlaceholder },
  { name: 'SL020', load: async () => (await import('./checks/unset-placeholder.ts')).unsetPlaceholder },
  { name: 'SL026', load: async () => (await import('./checks/wide-trust.ts')).wideTrust },
  { name: 'SL027', load: async () => (await import('./checks/late-guard.ts')).lateGuard },
  { name: 'SL028', load: async () => (await import('./checks/guarded-path.ts')).guardedPath },
  { name: 'SL033', load: async () => (await import('./checks/swallowing-fallback.ts')).swallowingFallback },
  { name: 'SL034', load: async () => (await import('./checks/replaced-header.ts')).replacedHeader },
  { name: 'SL039', load: async () => (await import('./checks/plain-credentials.ts')).plainCredentials },
  { name: 'SL040', load: async () => (await import('./checks/standing-twice.ts')).standingTwice },
];

/** Adds them. */
export function registerLint(registry: Registry): void {
  registry.contribute(lintChecks, ...contributions);
}
