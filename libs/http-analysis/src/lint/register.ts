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
  { name: 'SL041', load: async () => (await import('./checks/redirect-loop.ts')).redirectLoop },
  { name: 'SL042', load: async () => (await import('./checks/proxy-loop.ts')).proxyLoop },
  { name: 'SL043', load: async () => (await import('./checks/invoke-loop.ts')).invokeLoop },
  { name: 'SL044', load: async () => (await import('./checks/swapped-bounds.ts')).swappedBounds },
  { name: 'SL045', load: async () => (await import('./checks/unknown-word.ts')).unknownWord },
  { name: 'SL046', load: async () => (await import('./checks/field-name.ts')).fieldName },
  { name: 'SL047', load: async () => (await import('./checks/field-value.ts')).fieldValue },
  { name: 'SL048', load: async () => (await import('./checks/plain-hsts.ts')).plainHsts },
  { name: 'SL049', load: async () => (await import('./checks/host-name.ts')).hostName },
  { name: 'SL051', load: async () => (await import('./checks/missing-group.ts')).missingGroup },
  { name: 'SL052', load: async () => (await import('./checks/open-cors.ts')).openCors },
  { name: 'SL054', load: async () => (await import('./checks/contradicting-fields.ts')).contradictingFields },
  { name: 'SL055', load: async () => (await import('./checks/response-shape.ts')).responseShape },
  { name: 'SL056', load: async () => (await import('./checks/redirect-target.ts')).redirectTarget },
  { name: 'SL057', load: async () => (await import('./checks/idle-option.ts')).idleOption },
];

/** Adds them. */
export function registerLint(registry: Registry): void {
  registry.contribute(lintChecks, ...contributions);
}
