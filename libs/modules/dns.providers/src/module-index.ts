/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'dns.providers',
    name: 'acmedns',
    load: async () => (await import('./acmedns/index.ts')).acmednsModule,
  },
  {
    namespace: 'dns.providers',
    name: 'cloudflare',
    load: async () => (await import('./cloudflare/index.ts')).cloudflareModule,
  },
  {
    namespace: 'dns.providers',
    name: 'desec',
    load: async () => (await import('./desec/index.ts')).desecModule,
  },
  {
    namespace: 'dns.providers',
    name: 'digitalocean',
    load: async () => (await import('./digitalocean/index.ts')).digitaloceanModule,
  },
  {
    namespace: 'dns.providers',
    name: 'duckdns',
    load: async () => (await import('./duckdns/index.ts')).duckdnsModule,
  },
  {
    namespace: 'dns.providers',
    name: 'exec',
    load: async () => (await import('./exec/index.ts')).execModule,
  },
  {
    namespace: 'dns.providers',
    name: 'gandi',
    load: async () => (await import('./gandi/index.ts')).gandiModule,
  },
  {
    namespace: 'dns.providers',
    name: 'hetzner',
    load: async () => (await import('./hetzner/index.ts')).hetznerModule,
  },
  {
    namespace: 'dns.providers',
    name: 'ovh',
    load: async () => (await import('./ovh/index.ts')).ovhModule,
  },
  {
    namespace: 'dns.providers',
    name: 'rfc2136',
    load: async () => (await import('./rfc2136/index.ts')).rfc2136Module,
  },
  {
    namespace: 'dns.providers',
    name: 'route53',
    load: async () => (await import('./route53/index.ts')).route53Module,
  },
];
