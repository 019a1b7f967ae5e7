/** The `layer4` app, and the interfaces of its modules. */
import { references, type Registry } from '@sluice/registry';
import { registerCaddyfile } from './caddyfile/register.ts';

export { Layer4Connection, type TransportName } from './connection/connection.ts';
export {
  layer4Handlers,
  layer4Matchers,
  layer4Policies,
  type Layer4Handler,
  type Layer4Matcher,
  type Layer4Next,
  type Layer4Policy,
  type Verdict,
  type WeightedUpstream,
} from './contracts.ts';
export { DatagramPeer } from './listener/datagram-peer.ts';
export { layer4RoutingOptions } from './options.ts';
export { compileLayer4Text, resolveLayer4, type Layer4Template } from './placeholders.ts';
export { matchLayer4Sets } from './routing/matching.ts';
export { composeHandlers, loadLayer4Sets } from './routing/route.ts';
export { maxMatchedBytes, provisionLayer4Routes } from './routing/route-list.ts';
export { acquireTable } from './server.ts';
export {
  readHandlers,
  readLayer4Routes,
  readMatcherSet,
  routesBlock,
  writeHandlers,
  writeLayer4Routes,
  writeMatcherSet,
} from './caddyfile/routes.ts';

/** Registers the `layer4` app and its global option. */
export function register(registry: Registry): void {
  registry.add({ namespace: '', name: 'layer4', load: async () => (await import('./app.ts')).layer4AppModule });
  registerCaddyfile(registry);
  registry.hooks.adminRoutes.tap('layer4', ({ lazy }) =>
    lazy(['GET /layer4/routes'], async () => (await import('./admin-routes.ts')).addLayer4Routes),
  );
  registry.contribute(references, { name: '@sluice/layer4-app', load: () => import('./reference.ts') });
}
