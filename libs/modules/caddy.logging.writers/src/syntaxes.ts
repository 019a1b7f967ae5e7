/** The syntax of log writers in the Caddyfile. */
import { described, moduleSyntaxes, withoutOptions, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'caddy.logging.writers.net', load: async () => (await import('./net/caddyfile.ts')).readNet },
  { name: 'caddy.logging.writers.file', load: async () => (await import('./file/caddyfile.ts')).readFile },
  { name: 'caddy.logging.writers.pino', load: async () => (await import('./pino/caddyfile.ts')).readPino },
  withoutOptions('caddy.logging.writers.discard'),
  withoutOptions('caddy.logging.writers.stderr'),
  withoutOptions('caddy.logging.writers.stdout'),
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('caddy.logging.writers', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
