/** `tls.get_certificate.selfsigned`: generates temporary self-signed certificates during handshakes. */
import { defineModule, options } from '@sluice/registry';
import { certificateManagers } from '@sluice/tls-app';
import { SelfSigned } from './self-signed.ts';

export const selfsignedModule = defineModule(certificateManagers, {
  name: 'selfsigned',
  help: 'Generates self-signed certificates for TLS handshakes if no other certificate matches, even if the client sends no SNI. These certificates are stored only in memory, and clients do not trust them. Use for tests, and for listeners without a host name.',
  config: options({}),
  provision: () => new SelfSigned(),
});
