/** Options of the app `pki`. */
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
  certificate: string('File with the certificate as PEM; for an intermediate, others of its chain may follow it.'),
  private_key: string('File with the private key as PEM. A root that signs nothing needs none.'),
  format: string('How the files are written: `pem_file`, which is the default and all there is.'),
});

const authorityOptions = options({
  name: string('Name for people. Default "Sluice Local Authority".'),
  root_common_name: string('Common name of the root. Default "{pki.ca.name} - {time.now.year} ECC Root".'),
  intermediate_common_name: string('Common name of the intermediate. Default "{pki.ca.name} - ECC Intermediate".'),
  intermediate_lifetime: duration('How long an intermediate is valid. Default 7 days.'),
  install_trust: boolean(
    'Whether the root is put into the stores of this machine when the configuration is loaded. Default false: `sluice trust` does it.',
  ),
  root: structure('An own root, in place of one that is made.', keyPairOptions),
  intermediate: structure('An own intermediate, in place of one that is made and renewed.', keyPairOptions),
  maintenance_interval: duration('How often the intermediate is looked at. Default 10 minutes.'),
  renewal_window_ratio: number('The last part of its life in which the intermediate is renewed. Default 0.2.'),
  storage: inlineModule('Where the authority is kept. Default: the storage of the configuration.', storages, 'module'),
});

/** The options of the app. */
export const pkiOptions = options({
  certificate_authorities: map(
    'The authorities by id; `local` is the default one and need not be here.',
    authorityOptions,
  ),
});

/** The options of one authority. */
export type AuthorityOptions = Options<typeof authorityOptions>;

/** The options of a key pair of the user. */
export type KeyPairOptions = Options<typeof keyPairOptions>;
