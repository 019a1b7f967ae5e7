/** The module `http.handlers.mirror`, which sends copies of requests to other upstreams. */
import type { Registry } from '@sluice/registry';
import type { ProxyModule } from '../reverse_proxy/module.ts';

/** Registers the `mirror` module. It shares upstreams with the reverse proxies. */
export function registerMirror(registry: Registry, loadProxies: () => Promise<ProxyModule>): void {
  const load = async () => (await import('./module.ts')).makeMirrorModule((await loadProxies()).table);
  registry.add({ namespace: 'http.handlers', name: 'mirror', load });
}
