/** Handlers of the `layer4` app, in the namespace `layer4.handlers`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

const names = [
  'close',
  'echo',
  'postgres_tls',
  'proxy',
  'proxy_protocol',
  'socks5',
  'subroute',
  'tee',
  'throttle',
  'tls',
  'vars',
] as const;

export function register(registry: Registry): void {
  registry.add(...modules);
  contributeSyntaxes(
    registry,
    'layer4.handlers',
    syntaxesOf(names, async () => (await import('./caddyfile/syntaxes.ts')).syntaxes),
  );
  registry.contribute(references, { name: '@sluice/layer4.handlers', load: () => import('./reference.ts') });
}
