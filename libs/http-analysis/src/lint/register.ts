/** Registers the lint checks of this package. Each check is loaded when a configuration is linted. */
import { lintChecks, type LintContribution, type Registry } from '@sluice/registry';

const contributions: readonly LintContribution[] = [
  { name: 'SL001', load: async () => (await import('./checks/route-after-end.ts')).routeAfterEnd },
  { name: 'SL002', load: async () => (await import('./checks/shadowed-route.ts')).shadowedRoute },
  { name: 'SL003', load: async () => (await import('./checks/repeated-matchers.ts')).repeatedMatchers },
  { name: 'SL004', load: async () => (await import('./checks/shadowed-in-group.ts')).shadowedInGroup },
  { name: 'SL005', load: async () => (await import('./checks/contradicting-matchers.ts')).contradictingMatchers },
  { name: 'SL006', load: async () => (await import('./checks/empty-matcher.ts')).emptyMatcher },
  { name: 'SL007', load: async () => (await import('./checks/stripped-prefix.ts')).strippedPrefix },
  { name: 'SL008', load: async () => (await import('./checks/path-prefix.ts')).pathPrefix },
  { name: 'SL009', load: async () => (await import('./checks/wildcard-mismatch.ts')).wildcardMismatch },
  { name: 'SL010', load: async () => (await import('./checks/unserved-scheme.ts')).unservedScheme },
  { name: 'SL011', load: async () => (await import('./checks/unreachable-error-route.ts')).unreachableErrorRoute },
  { name: 'SL012', load: async () => (await import('./checks/unknown-named-route.ts')).unknownNamedRoute },
  { name: 'SL013', load: async () => (await import('./checks/no-response.ts')).noResponse },
  { name: 'SL018', load: async () => (await import('./checks/unknown-placeholder.ts')).unknownPlaceholder },
  { name: 'SL020', load: async () => (await import('./checks/unset-placeholder.ts')).unsetPlaceholder },
  { name: 'SL026', load: async () => (await import('./checks/broad-trusted-proxies.ts')).broadTrustedProxies },
  { name: 'SL027', load: async () => (await import('./checks/unreachable-guard.ts')).unreachableGuard },
  { name: 'SL028', load: async () => (await import('./checks/bypassed-guard.ts')).bypassedGuard },
  { name: 'SL033', load: async () => (await import('./checks/fallback-shadows-api.ts')).fallbackShadowsApi },
  { name: 'SL034', load: async () => (await import('./checks/replaced-header.ts')).replacedHeader },
  { name: 'SL039', load: async () => (await import('./checks/plain-credentials.ts')).plainCredentials },
  { name: 'SL040', load: async () => (await import('./checks/duplicate-definition.ts')).duplicateDefinition },
  { name: 'SL041', load: async () => (await import('./checks/redirect-loop.ts')).redirectLoop },
  { name: 'SL042', load: async () => (await import('./checks/proxy-loop.ts')).proxyLoop },
  { name: 'SL043', load: async () => (await import('./checks/invoke-loop.ts')).invokeLoop },
  { name: 'SL044', load: async () => (await import('./checks/swapped-bounds.ts')).swappedBounds },
  { name: 'SL045', load: async () => (await import('./checks/unknown-name.ts')).unknownName },
  { name: 'SL046', load: async () => (await import('./checks/invalid-header-name.ts')).invalidHeaderName },
  { name: 'SL047', load: async () => (await import('./checks/invalid-header-value.ts')).invalidHeaderValue },
  { name: 'SL048', load: async () => (await import('./checks/hsts-over-http.ts')).hstsOverHttp },
  { name: 'SL049', load: async () => (await import('./checks/invalid-host.ts')).invalidHost },
  { name: 'SL051', load: async () => (await import('./checks/missing-capture-group.ts')).missingCaptureGroup },
  { name: 'SL052', load: async () => (await import('./checks/cors-with-credentials.ts')).corsWithCredentials },
  { name: 'SL054', load: async () => (await import('./checks/conflicting-headers.ts')).conflictingHeaders },
  { name: 'SL055', load: async () => (await import('./checks/inconsistent-response.ts')).inconsistentResponse },
  { name: 'SL056', load: async () => (await import('./checks/malformed-redirect.ts')).malformedRedirect },
  { name: 'SL057', load: async () => (await import('./checks/ineffective-option.ts')).ineffectiveOption },
];

export function registerLint(registry: Registry): void {
  registry.contribute(lintChecks, ...contributions);
}
