/** Matchers of TLS handshakes: `tls.handshake_match`. */
import { references, type Registry } from '@sluice/registry';
import { localIpModule } from './local_ip/index.ts';
import { notModule } from './not/index.ts';
import { remoteIpModule } from './remote_ip/index.ts';
import { sniModule } from './sni/index.ts';
import { sniRegexpModule } from './sni_regexp/index.ts';

/** Adds all modules of the namespace. */
export function register(registry: Registry): void {
  registry.add(localIpModule);
  registry.add(notModule);
  registry.add(remoteIpModule);
  registry.add(sniModule);
  registry.add(sniRegexpModule);
  registry.contribute(references, {
    name: '@sluice/tls.handshake_match',
    load: async () => (await import('./reference.ts')).reference,
  });
}
