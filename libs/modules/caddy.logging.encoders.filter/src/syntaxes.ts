/** The syntax of filters of log fields in the Caddyfile. */
import { described, moduleSyntaxes, withoutOptions, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  {
    name: 'caddy.logging.encoders.filter.cookie',
    load: async () => (await import('./cookie/caddyfile.ts')).readCookie,
  },
  {
    name: 'caddy.logging.encoders.filter.ip_mask',
    load: async () => (await import('./ip_mask/caddyfile.ts')).readIpMask,
  },
  {
    name: 'caddy.logging.encoders.filter.multi_regexp',
    load: async () => (await import('./multi_regexp/caddyfile.ts')).readMultiRegexp,
  },
  { name: 'caddy.logging.encoders.filter.query', load: async () => (await import('./query/caddyfile.ts')).readQuery },
  {
    name: 'caddy.logging.encoders.filter.regexp',
    load: async () => (await import('./regexp/caddyfile.ts')).readRegexp,
  },
  {
    name: 'caddy.logging.encoders.filter.rename',
    load: async () => (await import('./rename/caddyfile.ts')).readRename,
  },
  {
    name: 'caddy.logging.encoders.filter.replace',
    load: async () => (await import('./replace/caddyfile.ts')).readReplace,
  },
  {
    name: 'caddy.logging.encoders.filter.set_cookie',
    load: async () => (await import('./set_cookie/caddyfile.ts')).readSetCookie,
  },
  withoutOptions('caddy.logging.encoders.filter.delete'),
  withoutOptions('caddy.logging.encoders.filter.hash'),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described(
      'caddy.logging.encoders.filter',
      contributions,
      async () => (await import('./descriptions.ts')).descriptions,
    ),
  );
}
