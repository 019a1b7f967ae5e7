/** Interface of the challenge board. Issuers add ACME challenges to it, so that all threads can respond to them. */
import { token, type Token } from '@sluice/registry';
import type { CertificatePair } from './key-pair.ts';

/** Removes a challenge from all threads. Never rejects. Repeated calls have no effect. */
export type TakeDown = () => Promise<void>;

/** Adds ACME challenges. Works only in the control thread; in other threads, the methods reject. */
export interface ChallengeBoard {
  /**
   * Adds an http-01 challenge (RFC 8555 §8.3). Requests for `/.well-known/acme-challenge/<token>` with the host `name` receive the key
   * authorization, on any server and port. Resolves when every thread serves the challenge.
   */
  http(name: string, challenge: string, keyAuthorization: string): Promise<TakeDown>;
  /**
   * Adds a tls-alpn-01 challenge (RFC 8737). Handshakes for `name` with the protocol `acme-tls/1` use this certificate. Resolves when every
   * thread serves the challenge.
   */
  tlsAlpn(name: string, certificate: CertificatePair): Promise<TakeDown>;
}

/** Challenges added by other servers that share the storage. The CA may contact any of these servers. Used in the control thread. */
export interface SharedChallenges {
  /** Returns the key authorization for an http-01 challenge, or `null` if there is no challenge with this token. */
  http(name: string, challenge: string): Promise<string | null>;
  /** Returns the certificate for a tls-alpn-01 challenge, or `null` if there is no such challenge. */
  tlsAlpn(name: string): Promise<CertificatePair | null>;
}

/** Service token for the challenge board. It is provided to all modules of the `tls` app, including issuers. */
export const challengeBoardToken: Token<ChallengeBoard> = token<ChallengeBoard>('challenge_board');
