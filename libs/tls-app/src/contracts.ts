/** What packages of modules implement, and what hosts give them. */
export type { CertificatePair, LoadedCertificate } from './certificates/key-pair.ts';
export { certificateLoaders, type CertificateLoader } from './certificates/loader.ts';
export { certificateManagers, type CertificateManager } from './certificates/manager.ts';
export { challengeBoardToken, type ChallengeBoard, type TakeDown } from './challenges/board.ts';
export { clientVerifiers, leafLoaders, type ClientVerifier, type LeafLoader } from './client-auth/verifier.ts';
export { dnsDefaultsToken, dnsProviders, type DnsDefaults, type DnsProvider, type DnsRecord } from './dns/provider.ts';
export {
  certificateStorageToken,
  issuers,
  type CertificateOrder,
  type IssuedCertificate,
  type Issuer,
  type RenewalWindow,
} from './issuance/issuer.ts';
export { permissions, type Permission } from './issuance/permission.ts';
export type { ClientHello } from './policies/client-hello.ts';
export { handshakeMatchers, type HandshakeMatcher } from './policies/matcher.ts';
export { ticketKeySources, type TicketKeySettings, type TicketKeySource } from './tickets/key-source.ts';
