/** How log encoders are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleInverse[] = [
  {
    name: 'caddy.logging.encoders.console',
    load: async () => (await import('./common/write-encoder.ts')).writeEncoder,
  },
  { name: 'caddy.logging.encoders.json', load: async () => (await import('./common/write-encoder.ts')).writeEncoder },
  { name: 'caddy.logging.encoders.logfmt', load: async () => (await import('./common/write-encoder.ts')).writeEncoder },
  { name: 'caddy.logging.encoders.filter', load: async () => (await import('./filter/inverse.ts')).writeFilter },
  { name: 'caddy.logging.encoders.append', load: async () => (await import('./append/inverse.ts')).writeAppend },
  { name: 'caddy.logging.encoders.journald', load: async () => (await import('./journald/inverse.ts')).writeJournald },
  {
    name: 'caddy.logging.encoders.single_field',
    load: async () => (await import('./single_field/inverse.ts')).writeSingleField,
  },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
