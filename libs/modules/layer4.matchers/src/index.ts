/** Matchers of the `layer4` app, in the namespace `layer4.matchers`. */
import { contributeSyntaxes, syntaxesOf } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

const names = [
  'clock',
  'dns',
  'http',
  'local_ip',
  'not',
  'postgres',
  'proxy_protocol',
  'quic',
  'regexp',
  'remote_ip',
  'remote_ip_list',
  'socks4',
  'socks5',
  'ssh',
  'tls',
  'vars',
  'vars_regexp',
  'wireguard',
  'xmpp',
] as const;

export function register(registry: Registry): void {
  registry.add(...modules);
  contributeSyntaxes(
    registry,
    'layer4.matchers',
    syntaxesOf(names, async () => (await import('./caddyfile/syntaxes.ts')).syntaxes),
  );
  registry.contribute(references, { name: '@sluice/layer4.matchers', load: () => import('./reference.ts') });
}
