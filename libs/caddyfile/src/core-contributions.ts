/** Global options and directive syntaxes of this package, such as `debug` and `order`. */
import type { Registry } from '@sluice/registry';
import { contributeOptions, contributeSyntaxes, syntaxesOf } from './grammar/contribute.ts';

const names = ['debug', 'admin', 'persist_config', 'storage', 'log', 'order'] as const;

/** Registers the core directives. Their code is loaded when a Caddyfile uses them. */
export function contributeCore(registry: Registry): void {
  contributeOptions(
    registry,
    syntaxesOf(names, async () => (await import('./core/options.ts')).coreOptions),
  );
  const cores = syntaxesOf(['mock'], async () => (await import('./core/options.ts')).logCores);
  contributeSyntaxes(registry, 'caddy.logging.cores', cores);
}
