/** Lint checks of this package, loaded on demand. */
import { lintChecks, type LintContribution, type Registry } from '@sluice/registry';

const contributions: readonly LintContribution[] = [
  { name: 'SL035', load: async () => (await import('./optional-client-certificate.ts')).optionalClientCertificate },
  { name: 'SL036', load: async () => (await import('./unrestricted-on-demand.ts')).unrestrictedOnDemand },
  { name: 'SL037', load: async () => (await import('./unobtainable-certificate.ts')).unobtainableCertificate },
  { name: 'SL053', load: async () => (await import('./weak-cipher-suite.ts')).weakCipherSuite },
];

export function registerLint(registry: Registry): void {
  registry.contribute(lintChecks, ...contributions);
}
