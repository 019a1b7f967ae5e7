/** Options of `tls.issuance.acme`. */
import { networkProxies } from '@sluice/http-app';
import {
  boolean,
  duration,
  inlineModule,
  integer,
  options,
  string,
  strings,
  structure,
  type Options,
} from '@sluice/registry';
import { dnsProviders } from '@sluice/tls-app';

const httpOptions = options({
  disabled: boolean('Whether this challenge is left out.'),
  alternate_port: integer(
    'Port that is listened at if no one does; requests to port 80 must be led there. Default 80.',
  ),
});

const tlsAlpnOptions = options({
  disabled: boolean('Whether this challenge is left out.'),
  alternate_port: integer(
    'Port that is listened at if no one does; connections to port 443 must be led there. Default 443.',
  ),
});

/** How records of a zone are set; `dns-01`, and the validation of `zerossl` by CNAME. */
export const dnsChallengeOptions = options({
  provider: inlineModule('Who sets records. Default: that of the app.', dnsProviders, 'name'),
  ttl: duration('How long records may be cached. Default 0: as the provider has it.'),
  propagation_delay: duration('How long to wait before the first look whether the record is there. Default 0.'),
  propagation_timeout: duration('How long to look for the record. -1: not at all. Default 2 minutes.'),
  resolvers: strings('Name servers to look at: "1.1.1.1" or "[::1]:53". Default: those of the app or of the system.'),
  override_domain: string('Name of the record in place of `_acme-challenge.<name>`, which is an alias of it.'),
});

const challengesOptions = options({
  http: structure('The challenge http-01.', httpOptions),
  'tls-alpn': structure('The challenge tls-alpn-01.', tlsAlpnOptions),
  dns: structure('The challenge dns-01; it is the only one then, as in the reference.', dnsChallengeOptions),
  bind_host: string('Address to listen at for challenges where no one listens.'),
  distributed: boolean('Accepted, no effect: challenges are not shared through the storage.'),
});

const externalAccountOptions = options({
  key_id: string('The id of the key that the CA gave.'),
  mac_key: string('The key that the CA gave, in base64url.'),
});

const chainOptions = options({
  smallest: boolean('Take the chain with the fewest certificates.'),
  root_common_name: strings('Common names of roots, best first.'),
  any_common_name: strings('Common names of any issuer in the chain, best first.'),
});

/** The options of the issuer. */
export const acmeOptions = options({
  ca: string("URL of the CA's directory. Default: that of Let's Encrypt."),
  test_ca: string(
    "URL of another directory, to be tried first after a failure. Default: the staging one for Let's Encrypt.",
  ),
  email: string('Mail address for the account; may contain global placeholders.'),
  profile: string('Name of a profile of the CA.'),
  account_key: string('Private key of an account that exists, as PEM; may contain global placeholders.'),
  external_account: structure('A key that the CA gave, to bind the account to.', externalAccountOptions),
  acme_timeout: duration('How long obtaining a certificate may take. Default: as the app says.'),
  challenges: structure('How names are proved. Default: http-01 and tls-alpn-01.', challengesOptions),
  trusted_roots_pem_files: strings(
    "Files with roots that are trusted for the CA's own server, in place of the usual ones.",
  ),
  preferred_chains: structure('Which of several chains to take. Default: the first.', chainOptions),
  certificate_lifetime: duration(
    'How long certificates shall be valid, where the CA lets clients say. Default: as the CA has it.',
  ),
  network_proxy: inlineModule('Proxy for requests to the CA.', networkProxies, 'from'),
});

/** See {@link acmeOptions}. */
export type AcmeOptions = Options<typeof acmeOptions>;

/** See {@link dnsChallengeOptions}. */
export type DnsChallengeOptions = Options<typeof dnsChallengeOptions>;
