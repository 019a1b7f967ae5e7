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
    'PEM file containing the certificate. An intermediate certificate may be followed by the rest of its chain.',
  ),
  private_key: string(
    'PEM file containing the private key. Not required for a root certificate that is not used for signing.',
  ),
  format: string('File format. Only `pem_file`, the default, is supported.'),
});

const authorityOptions = options({
  name: string('Display name. Default: "Sluice Local Authority".'),
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
    'Certificate authorities by ID. The default authority, `local`, does not need to be listed.',
    authorityOptions,
  ),
});

export type AuthorityOptions = Options<typeof authorityOptions>;

/** Options of a user-provided key pair. */
export type KeyPairOptions = Options<typeof keyPairOptions>;
