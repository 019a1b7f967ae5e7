/** The syntax of log encoders in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  {
    name: 'caddy.logging.encoders.console',
    load: async () => (await import('./common/encoder-syntax.ts')).readEncoder,
  },
  { name: 'caddy.logging.encoders.json', load: async () => (await import('./common/encoder-syntax.ts')).readEncoder },
  { name: 'caddy.logging.encoders.logfmt', load: async () => (await import('./common/encoder-syntax.ts')).readEncoder },
  { name: 'caddy.logging.encoders.filter', load: async () => (await import('./filter/caddyfile.ts')).readFilter },
  { name: 'caddy.logging.encoders.append', load: async () => (await import('./append/caddyfile.ts')).readAppend },
  { name: 'caddy.logging.encoders.journald', load: async () => (await import('./journald/caddyfile.ts')).readJournald },
  {
    name: 'caddy.logging.encoders.single_field',
    load: async () => (await import('./single_field/caddyfile.ts')).readSingleField,
  },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('caddy.logging.encoders', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
