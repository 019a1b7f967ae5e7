/** Options of the app `tls`. */
import {
  boolean,
  duration,
  inlineModule,
  inlineModules,
  integer,
  list,
  map,
  moduleMap,
  namespace,
  number,
  options,
  string,
  strings,
  structure,
  text,
} from '@sluice/registry';
import { storages } from '@sluice/contracts';
import {
  certificateLoaders,
  certificateManagers,
  dnsProviders,
  issuers,
  permissions,
  ticketKeySources,
} from './contracts/index.ts';

// No publisher ships, and nothing is published yet; what stands in the document for them is accepted.
const echPublishers = namespace<object>('tls.ech.publishers');

/** Options of an automation policy. */
export const automationPolicyOptions = options({
  subjects: strings('Names that the policy is for. None: all that no other policy has.'),
  issuers: inlineModules('Who issues the certificates; the next one is asked when one fails.', issuers, 'module'),
  get_certificate: inlineModules('Who has certificates at the time of a handshake.', certificateManagers, 'via'),
  must_staple: boolean('Whether certificates say that a stapled OCSP response must come with them.'),
  renewal_window_ratio: number(
    'The last part of its life in which a certificate is renewed, from 0 to 1. Default one third.',
  ),
  key_type: string('Kind of keys: ed25519, p256, p384, rsa2048 or rsa4096.'),
  storage: inlineModule('Where certificates are kept. Default: the storage of the configuration.', storages, 'module'),
  on_demand: boolean('Whether certificates are obtained at the time of a handshake.'),
  reuse_private_keys: boolean('Whether a renewed certificate keeps its key.'),
  disable_ocsp_stapling: boolean(
    'Whether OCSP responses are left out, also those of loaded certificates for the names.',
  ),
  ocsp_overrides: map('URLs of OCSP responders in place of those that certificates name; empty for none.', text()),
});

const onDemandOptions = options({
  ask: string('URL that is asked whether a name may have a certificate; deprecated in the reference.'),
  permission: inlineModule('Who says whether a name may have a certificate.', permissions, 'module'),
});

const automationOptions = options({
  policies: list('How certificates are managed; the first policy with the name counts.', automationPolicyOptions),
  on_demand: structure('Bounds of certificates on demand.', onDemandOptions),
  ocsp_interval: duration('Longest time between two attempts to get an OCSP response that is due. Default 1 hour.'),
  renew_interval: duration('How often certificates are looked at. Default 10 minutes.'),
  storage_clean_interval: duration('How often old things are removed from storage. Default 24 hours.'),
});

const ticketOptions = options({
  key_source: inlineModule('Where the keys of session tickets come from.', ticketKeySources, 'provider'),
  rotation_interval: duration('How often a new key is used. Default 12 hours.'),
  max_keys: integer('How many keys are kept. Default 4.'),
  disable_rotation: boolean('Whether the key stays.'),
  disabled: boolean('Whether there are no session tickets.'),
});

const cacheOptions = options({
  capacity: integer('How many certificates on demand stay in memory; others always do. Default 10,000.'),
});

const publicationOptions = options({
  configs: strings('Accepted, no effect: see encrypted_client_hello. Public names of the configurations to publish.'),
  domains: strings('Accepted, no effect: see encrypted_client_hello. Names to publish them for.'),
  publishers: moduleMap('Accepted, no effect: see encrypted_client_hello. Who publishes them.', echPublishers),
});

const echOptions = options({
  configs: list(
    'Accepted, no effect: see encrypted_client_hello. Configurations.',
    options({ public_name: string('Accepted, no effect: see encrypted_client_hello. The name that others see.') }),
  ),
  publication: list('Accepted, no effect: see encrypted_client_hello. What is published, and how.', publicationOptions),
});

/** The options of the app. */
export const tlsOptions = options({
  certificates: moduleMap('Certificates to load or to manage.', certificateLoaders),
  automation: structure('How certificates are managed.', automationOptions),
  session_tickets: structure('Keys of session tickets.', ticketOptions),
  cache: structure('Certificates in memory.', cacheOptions),
  disable_ocsp_stapling: boolean('Whether OCSP responses are left out of all handshakes.'),
  disable_storage_check: boolean('Whether certificates are ordered without trying to write to the storage first.'),
  disable_storage_clean: boolean('Whether old things stay in storage.'),
  encrypted_client_hello: structure(
    'Accepted, no effect: OpenSSL does not have encrypted ClientHellos yet.',
    echOptions,
  ),
  dns: inlineModule('DNS provider where none is named.', dnsProviders, 'name'),
  resolvers: strings('DNS resolvers for challenges.'),
});
