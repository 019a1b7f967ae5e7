/** How the parts of reverse proxies are written in a Caddyfile again. */
import { moduleInverses, type ModuleInverse, type WriteModule } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

function inverse(name: string, load: () => Promise<WriteModule>): ModuleInverse {
  return { name: `http.reverse_proxy.${name}`, load };
}

const contributions: readonly ModuleInverse[] = [
  inverse('transport.http', async () => (await import('./transport/http/inverse.ts')).writeHttp),
  inverse('transport.fastcgi', async () => (await import('./transport/fastcgi/inverse.ts')).writeFastcgi),
  inverse('selection_policies.cookie', async () => (await import('./selection_policies/inverse.ts')).writeCookie),
  inverse('selection_policies.header', async () => (await import('./selection_policies/inverse.ts')).writeHeader),
  inverse('selection_policies.query', async () => (await import('./selection_policies/inverse.ts')).writeQuery),
  inverse('selection_policies.random_choose', async () => {
    return (await import('./selection_policies/inverse.ts')).writeRandomChoose;
  }),
  inverse('selection_policies.weighted_round_robin', async () => {
    return (await import('./selection_policies/inverse.ts')).writeWeights;
  }),
  inverse('upstreams.a', async () => (await import('./upstreams/inverse.ts')).writeSource),
  inverse('upstreams.srv', async () => (await import('./upstreams/inverse.ts')).writeSource),
  inverse('upstreams.multi', async () => (await import('./upstreams/inverse.ts')).writeMulti),
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(moduleInverses, ...contributions);
}
