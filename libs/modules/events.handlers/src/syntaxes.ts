/** The syntax of handlers of events in the Caddyfile. */
import { described, moduleSyntaxes, type ModuleSyntaxContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleSyntaxContribution[] = [
  { name: 'events.handlers.exec', load: async () => (await import('./exec/caddyfile.ts')).readExec },
];

/** Adds the syntaxes. */
export function registerSyntaxes(registry: Registry): void {
  registry.contribute(
    moduleSyntaxes,
    ...described('events.handlers', contributions, async () => (await import('./descriptions.ts')).descriptions),
  );
}
