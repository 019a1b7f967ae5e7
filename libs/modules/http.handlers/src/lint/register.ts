/** The checks of this package, each loaded when something is linted. */
import { lintChecks, type LintContribution, type Registry } from '@sluice/registry';

const contributions: readonly LintContribution[] = [
  { name: 'SL021', load: async () => (await import('../reverse_proxy/lint/dial-from-request.ts')).dialFromRequest },
  { name: 'SL030', load: async () => (await import('../reverse_proxy/lint/no-health.ts')).noHealth },
];

/** Adds them. */
export function registerLint(registry: Registry): void {
  registry.contribute(lintChecks, ...contributions);
}
