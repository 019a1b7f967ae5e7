/** Lint checks of this package, loaded on demand. */
import { lintChecks, type LintContribution, type Registry } from '@sluice/registry';

const contributions: readonly LintContribution[] = [
  { name: 'SL021', load: async () => (await import('../reverse_proxy/lint/dial-from-request.ts')).dialFromRequest },
  {
    name: 'SL022',
    load: async () => (await import('../static_response/redirect-from-request.ts')).redirectFromRequest,
  },
  { name: 'SL023', load: async () => (await import('../headers/decoded-text.ts')).decodedText },
  {
    name: 'SL024',
    load: async () => (await import('../reverse_proxy/lint/unverified-upstream.ts')).unverifiedUpstream,
  },
  { name: 'SL025', load: async () => (await import('../reverse_proxy/lint/port-and-scheme.ts')).portAndScheme },
  { name: 'SL029', load: async () => (await import('../reverse_proxy/lint/forged-identity.ts')).forgedIdentity },
  { name: 'SL030', load: async () => (await import('../reverse_proxy/lint/no-health-checks.ts')).noHealthChecks },
  { name: 'SL031', load: async () => (await import('../reverse_proxy/lint/unsafe-retries.ts')).unsafeRetries },
  { name: 'SL032', load: async () => (await import('../file_server/secrets-below-root.ts')).secretsBelowRoot },
  {
    name: 'SL061',
    load: async () => (await import('../reverse_proxy/lint/balancing-without-effect.ts')).balancingWithoutEffect,
  },
  { name: 'SL060', load: async () => (await import('../cache/lint.ts')).sharedPrivateResponses },
  { name: 'SL065', load: async () => (await import('../mirror/lint.ts')).ineffectiveMirror },
  { name: 'SL067', load: async () => (await import('../webdav/lint.ts')).openWebdav },
  { name: 'SL068', load: async () => (await import('../webdav/lint.ts')).encodedWebdav },
  { name: 'SL073', load: async () => (await import('../waf/lint.ts')).ineffectiveFirewall },
];

export function registerLint(registry: Registry): void {
  registry.contribute(lintChecks, ...contributions);
}
