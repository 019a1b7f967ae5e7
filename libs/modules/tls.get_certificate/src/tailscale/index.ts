/** `tls.get_certificate.tailscale`: gets certificates from the local Tailscale daemon. */
import { defineModule, options } from '@sluice/registry';
import { certificateManagers } from '@sluice/tls-app';
import { Tailscale } from './tailscale.ts';

export const tailscaleModule = defineModule(certificateManagers, {
  name: 'tailscale',
  help: 'Requests certificates for names ending in .ts.net from the local Tailscale daemon.',
  config: options({}),
  provision: () => new Tailscale(),
});
