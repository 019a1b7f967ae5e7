/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('dns.providers', {
  acmedns: async () => (await import('./acmedns/index.ts')).acmednsModule,
  cloudflare: async () => (await import('./cloudflare/index.ts')).cloudflareModule,
  desec: async () => (await import('./desec/index.ts')).desecModule,
  digitalocean: async () => (await import('./digitalocean/index.ts')).digitaloceanModule,
  duckdns: async () => (await import('./duckdns/index.ts')).duckdnsModule,
  exec: async () => (await import('./exec/index.ts')).execModule,
  gandi: async () => (await import('./gandi/index.ts')).gandiModule,
  hetzner: async () => (await import('./hetzner/index.ts')).hetznerModule,
  ovh: async () => (await import('./ovh/index.ts')).ovhModule,
  rfc2136: async () => (await import('./rfc2136/index.ts')).rfc2136Module,
  route53: async () => (await import('./route53/index.ts')).route53Module,
});
