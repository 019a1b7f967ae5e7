/** The syntax of managers of certificates in the Caddyfile. */
import { described, moduleSyntaxes, withoutOptions, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'tls.get_certificate.http', load: async () => (await import('./http/caddyfile.ts')).readHttp },
  withoutOptions('tls.get_certificate.selfsigned'),
  withoutOptions('tls.get_certificate.tailscale'),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('tls.get_certificate', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
