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
    'PEM file containing the certificate; for an intermediate, optionally followed by the rest of its chain.',
  ),
  private_key: string('PEM file containing the private key. Not required for a root that signs nothing.'),
  format: string('File format. Only `pem_file` is supported; it is the default.'),
});

const authorityOptions = options({
  name: string('Display name. Default: "Sluice Local Authority".'),
  root_common_name: string('Common name of the root. Default: "{pki.ca.name} - {time.now.year} ECC Root".'),
  intermediate_common_name: string('Common name of the intermediate. Default: "{pki.ca.name} - ECC Intermediate".'),
  intermediate_lifetime: duration('Validity period of an intermediate. Default: 7 days.'),
  install_trust: boolean(
    'Install the root in the trust stores of this machine when the configuration is loaded. Default: false; use `sluice trust` instead.',
  ),
  root: structure('Custom root certificate, instead of a generated one.', keyPairOptions),
  intermediate: structure(
    'Custom intermediate certificate, instead of one that is generated and renewed.',
    keyPairOptions,
  ),
  maintenance_interval: duration('Interval between checks of the intermediate. Default: 10 minutes.'),
  renewal_window_ratio: number(
    'Remaining fraction of the validity period at which the intermediate is renewed. Default: 0.2.',
  ),
  storage: inlineModule('Storage for the certificate authority. Default: the configured storage.', storages, 'module'),
});

export const pkiOptions = options({
  certificate_authorities: map(
    'Certificate authorities by ID. `local` is the default and does not need to be listed.',
    authorityOptions,
  ),
});

export type AuthorityOptions = Options<typeof authorityOptions>;

/** Options of a user-provided key pair. */
export type KeyPairOptions = Options<typeof keyPairOptions>;
