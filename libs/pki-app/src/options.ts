/** Options of the `pki` app. */
import {
  boolean,
  duration,
  inlineModule,
  map,
  number,
  options,
  string,
  structure,
  type Options,
} from '@sluice/registry';
import { storages } from '@sluice/contracts';

const keyPairOptions = options({
  certificate: string(
    'Path of a PEM file that contains the certificate. For an intermediate certificate, the file can also contain the rest of the chain.',
  ),
  private_key: string(
    'Path of a PEM file that contains the private key. Not required for a root certificate that is not used for signing.',
  ),
  format: string('Format of the certificate and key files. Only `pem_file`, the default, is supported.'),
});

const authorityOptions = options({
  name: string('Display name of the certificate authority. Default: "Sluice Local Authority".'),
  root_common_name: string('Common name of the root certificate. Default: "{pki.ca.name} - {time.now.year} ECC Root".'),
  intermediate_common_name: string(
    'Common name of the intermediate certificate. Default: "{pki.ca.name} - ECC Intermediate".',
  ),
  intermediate_lifetime: duration('Validity period of the intermediate certificate. Default: 7 days.'),
  install_trust: boolean(
    "Install the root certificate in this machine's trust stores when the configuration is loaded. To install it once, run `sluice trust` instead. Default: false.",
  ),
  root: structure('Custom root certificate. Default: a root certificate is generated.', keyPairOptions),
  intermediate: structure(
    'Custom intermediate certificate. Default: an intermediate certificate is generated and renewed.',
    keyPairOptions,
  ),
  maintenance_interval: duration(
    'Interval at which the intermediate certificate is checked for renewal. Default: 10 minutes.',
  ),
  renewal_window_ratio: number(
    'Fraction of the validity period that remains when the intermediate certificate is renewed. Default: 0.2.',
  ),
  storage: inlineModule('Storage for the certificate authority. Default: the configured storage.', storages, 'module'),
});

export const pkiOptions = options({
  certificate_authorities: map(
    'Map of IDs to certificate authorities. The default authority, `local`, does not need to be listed.',
    authorityOptions,
  ),
});

export type AuthorityOptions = Options<typeof authorityOptions>;

/** Options of a user-provided key pair. */
export type KeyPairOptions = Options<typeof keyPairOptions>;
