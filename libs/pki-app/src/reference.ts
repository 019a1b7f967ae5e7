/** Reference documentation of the PKI package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    pki: {
      apps: {
        pki: {
          certificate_authorities: {
            internal: { name: 'Internal', intermediate_lifetime: '30d', install_trust: false },
          },
        },
      },
    },
  },
  placeholders: [
    {
      title: 'Certificate authorities',
      where: 'The `root_common_name` and `intermediate_common_name` options of the `pki` app.',
      names: { 'pki.ca.name': 'Display name of the certificate authority.' },
    },
  ],
};
