/**
 * Interfaces, namespaces, and tokens that connect packages without direct imports. They cover storage, TLS, log writers and encoders,
 * adapters, configuration loaders, and the server identity.
 */
export {
  configAdapters,
  type AdaptedConfig,
  type ConversionDifference,
  type ConversionVerdict,
  type ConvertedConfig,
  type AdapterOptions,
  type AdapterWarning,
  type ConfigAdapter,
} from './adapters.ts';
export { formatPlace, type ConfigSources, type SourcePlace } from './sources.ts';
export { configLoaders, type ConfigLoader, type LoadedConfig } from './config-loaders.ts';
export {
  logEncoders,
  logFieldFilters,
  logOutputsToken,
  logWriters,
  type LogEncoder,
  type LogFieldFilter,
  type LogOutput,
  type LogOutputs,
  type LogWriter,
} from './logging.ts';
export {
  identityProvision,
  serverIdentity,
  type IdentityCertificate,
  type IdentityProvision,
  type ServerIdentity,
} from './server-identity.ts';
export {
  safeSegment,
  storageTimesToken,
  storageToken,
  storages,
  writeUnder,
  type LockOptions,
  type Storage,
  type StorageLock,
  type StorageTimes,
  type StoredInfo,
} from './storage.ts';
export { addressSources, type AddressSource, type AddressVersions } from './address-sources.ts';
export { dnsProviders, type DnsProvider, type DnsRecord } from './dns-providers.ts';
export { caPoolSources, type CaPool } from './tls/ca-pool.ts';
export type { ClientAuthConfig } from './tls/client-auth-options.ts';
export type { ClientHello } from './tls/client-hello.ts';
export { clientVerifiers, leafLoaders, type ClientVerifier, type LeafLoader } from './tls/client-verifier.ts';
export { handshakeMatchers, type HandshakeMatcher } from './tls/handshake-matcher.ts';
export { policyOptions, type PolicyConfig, type SelectionConfig } from './tls/policy-options.ts';
export { checkedCertificates } from './tls/checked-certificates.ts';
export { NameSet } from './tls/name-set.ts';
export { pemCertificates, pemPrivateKey } from './tls/pem.ts';
export {
  tlsApp,
  type HttpChallenges,
  type EarlyDataGuard,
  type QuicHandshake,
  type QuicTermination,
  type TerminationSettings,
  type TlsApp,
  type TlsEstablished,
  type TlsPeer,
  type TlsTermination,
  type WantedCertificates,
} from './tls/tls-app.ts';
export * from './tls/handshake-block.ts';
export type { TlsInfo } from './tls/tls-info.ts';
export {
  trafficMeters,
  type MeteredChange,
  type SidesReader,
  type SideCounts,
  type TrafficCounts,
  type TrafficReader,
} from './traffic-meter.ts';
export {
  fleetHandle,
  type FleetMembership,
  type FleetReach,
  type FleetReport,
  type FleetScope,
  type FleetHandle,
  type FleetRehearsal,
  type RehearsedMember,
  type RolloutRequest,
} from './fleet.ts';
export { templateFunctions, type TemplateFunctionSet } from './template-functions.ts';
