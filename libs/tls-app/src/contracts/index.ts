/** Interfaces for packages that provide `tls` modules. */
export type { CertificatePair, LoadedCertificate } from './key-pair.ts';
export { certificateLoaders, type CertificateLoader } from './certificate-loader.ts';
export { certificateManagers, type CertificateManager } from './certificate-manager.ts';
export { challengeBoardToken, type ChallengeBoard, type SharedChallenges, type TakeDown } from './challenge-board.ts';
export { dnsDefaultsToken, type DnsDefaults } from './dns-defaults.ts';
export {
  certificateStorageToken,
  issuers,
  type CertificateOrder,
  type IssuedCertificate,
  type Issuer,
  type RenewalWindow,
} from './issuer.ts';
export { permissions, type Permission } from './permission.ts';
export { ticketKeySources, type TicketKeySettings, type TicketKeySource } from './ticket-key-source.ts';
