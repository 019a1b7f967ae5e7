/** `tls.get_certificate.selfsigned`: temporary certificates, generated during handshakes. */
import { defineModule, options } from '@sluice/registry';
import { certificateManagers } from '@sluice/tls-app';
import { SelfSigned } from './self-signed.ts';

export const selfsignedModule = defineModule(certificateManagers, {
  name: 'selfsigned',
  help: 'Generates self-signed certificates for handshakes that no other certificate matches, even without SNI. They are kept in memory and not trusted by clients. For tests, and for listeners without a name.',
  config: options({}),
  provision: () => new SelfSigned(),
});
