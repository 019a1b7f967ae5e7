/** ACME protocol, server, and client (RFC 8555). */
export { isAcmeProblem, problem, type Identifier } from './protocol/problem.ts';
export { jwkOf, readJwk, thumbprint } from './protocol/jwk.ts';
export { bindExternalAccount, parseMessage, signMessage, verifyHmac, verifyMessage } from './protocol/jws.ts';
export {
  type ChallengeType,
  type ClientChallengeType,
  acmeTlsProtocol,
  dnsChallengeName,
  dnsChallengeValue,
  httpChallengePath,
} from './protocol/challenge.ts';
export { isPersistentRecord, persistentRecordName, persistentRecordValue } from './protocol/dns-persist.ts';
export type { AuthorizationResource, OrderResource } from './protocol/resources.ts';
export { Book, type RecordStore } from './server/book.ts';
export type { ServerRequest, ServerResponse } from './server/message.ts';
export { Nonces } from './server/nonces.ts';
export { IdentifierPolicy, type RuleSet } from './server/policy.ts';
export { AcmeServer } from './server/server.ts';
export type { Issue, ServerSettings } from './server/settings.ts';
export { internet, type ValidationNetwork } from './server/validation/network.ts';
export { NetworkValidator } from './server/validation/validator.ts';
export type { Validation } from './server/validation/validation.ts';
export { certificateId } from './protocol/certificate-id.ts';
export { reverseName } from './protocol/reverse-name.ts';
export {
  findAccount,
  registerAccount,
  type Account,
  type ExternalAccount,
  type RegisteredAccount,
} from './client/account.ts';
export type { ChainPreference } from './client/chains.ts';
export { challengeCertificate } from './client/challenge-certificate.ts';
export { obtain, type ObtainedCertificate, type ObtainRequest, type Solver } from './client/obtain.ts';
export { renewalInfo } from './client/renewal-info.ts';
export { revokeCertificate } from './client/revoke.ts';
export { Session } from './client/session.ts';
export { HttpsTransport, type ClientRequest, type ClientResponse, type AcmeTransport } from './client/transport.ts';
