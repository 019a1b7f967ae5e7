/** Selection policies of the layer 4 proxy, in the namespace `layer4.proxy.selection_policies`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

const names = [
  'first',
  'ip_hash',
  'least_conn',
  'random',
  'random_choose',
  'round_robin',
  'weighted_round_robin',
] as const;

export function register(registry: Registry): void {
  registry.add(...modules);
  contributeSyntaxes(
    registry,
    'layer4.proxy.selection_policies',
    syntaxesOf(names, async () => (await import('./caddyfile.ts')).syntaxes),
  );
  registry.contribute(references, { name: '@sluice/layer4.proxy', load: () => import('./reference.ts') });
}
