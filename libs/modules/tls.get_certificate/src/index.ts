/** Who has certificates at the time of a handshake: namespace `tls.get_certificate`. */
import { references, type Registry } from '@sluice/registry';
import { httpModule } from './http/index.ts';
import { selfsignedModule } from './selfsigned/index.ts';
import { tailscaleModule } from './tailscale/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(httpModule);
  registry.add(selfsignedModule);
  registry.add(tailscaleModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/tls.get_certificate',
    load: async () => (await import('./reference.ts')).reference,
  });
}
