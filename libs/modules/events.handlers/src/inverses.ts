/** How handlers of events are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleInverse[] = [
  { name: 'events.handlers.exec', load: async () => (await import('@sluice/caddyfile')).wordsOf('command', 'args') },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
