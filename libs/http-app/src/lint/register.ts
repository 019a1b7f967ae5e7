/** The checks of this package, each loaded when something is linted. */
import { lintChecks, type LintContribution, type Registry } from '@sluice/registry';

const contributions: readonly LintContribution[] = [
  { name: 'SL001', load: async () => (await import('./checks/route-after-end.ts')).routeAfterEnd },
  { name: 'SL002', load: async () => (await import('./checks/shadowed-route.ts')).shadowedRoute },
  { name: 'SL003', load: async () => (await import('./checks/repeated-matchers.ts')).repeatedMatchers },
  { name: 'SL004', load: async () => (await import('./checks/decided-group.ts')).decidedGroup },
  { name: 'SL005', load: async () => (await import('./checks/contradicting-matchers.ts')).contradictingMatchers },
  { name: 'SL006', load: async () => (await import('./checks/empty-matcher.ts')).emptyMatcher },
  { name: 'SL009', load: async () => (await import('./checks/missed-by-wildcard.ts')).missedByWildcard },
  { name: 'SL012', load: async () => (await import('./checks/named-routes.ts')).namedRoutes },
];

/** Adds them. */
export function registerLint(registry: Registry): void {
  registry.contribute(lintChecks, ...contributions);
}
