/** `tls.get_certificate.tailscale`: certificates of the Tailscale daemon of this machine. */
import { defineModule, options } from '@sluice/registry';
import { certificateManagers } from '@sluice/tls-app';
import { Tailscale } from './tailscale.ts';

/** The module. */
export const tailscaleModule = defineModule(certificateManagers, {
  name: 'tailscale',
  help: 'Asks the Tailscale daemon of this machine for certificates of names that end with .ts.net.',
  config: options({}),
  provision: () => new Tailscale(),
});
