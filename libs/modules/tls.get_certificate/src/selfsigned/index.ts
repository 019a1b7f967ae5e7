/** `tls.get_certificate.selfsigned`: certificates that are made for a handshake, and thrown away. */
import { defineModule, options } from '@sluice/registry';
import { certificateManagers } from '@sluice/tls-app';
import { SelfSigned } from './self-signed.ts';

/** The module. */
export const selfsignedModule = defineModule(certificateManagers, {
  name: 'selfsigned',
  help: 'Makes self-signed certificates for handshakes that no other certificate fits, also without a server name. They live in memory, no authority issues them, and no client trusts them: for tests and listeners without a name.',
  config: options({}),
  provision: () => new SelfSigned(),
});
