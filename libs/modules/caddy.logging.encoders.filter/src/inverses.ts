/** How filters of log fields are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const contributions: readonly ModuleInverse[] = [
  {
    name: 'caddy.logging.encoders.filter.regexp',
    load: async () => (await import('@sluice/caddyfile')).wordsOf('regexp', 'value'),
  },
  {
    name: 'caddy.logging.encoders.filter.multi_regexp',
    load: async () => (await import('./multi_regexp/inverse.ts')).writeMultiRegexp,
  },
  {
    name: 'caddy.logging.encoders.filter.query',
    load: async () => (await import('./common/write-actions.ts')).writeActions,
  },
  {
    name: 'caddy.logging.encoders.filter.cookie',
    load: async () => (await import('./common/write-actions.ts')).writeActions,
  },
  {
    name: 'caddy.logging.encoders.filter.set_cookie',
    load: async () => (await import('./common/write-actions.ts')).writeActions,
  },
  {
    name: 'caddy.logging.encoders.filter.rename',
    load: async () => (await import('@sluice/caddyfile')).wordsOf('name'),
  },
  {
    name: 'caddy.logging.encoders.filter.replace',
    load: async () => (await import('@sluice/caddyfile')).wordsOf('value'),
  },
  {
    name: 'caddy.logging.encoders.filter.ip_mask',
    load: async () => (await import('./ip_mask/inverse.ts')).writeIpMask,
  },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
