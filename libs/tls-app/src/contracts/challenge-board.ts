/** Contract of the challenge board, with which issuers let all threads respond to challenges. */
import { token, type Token } from '@sluice/registry';
import type { CertificatePair } from './key-pair.ts';

/** Removes a challenge in all threads. Never rejects. Repeated calls have no effect. */
export type TakeDown = () => Promise<void>;

/** Adds challenges in the control thread. In other threads, the methods reject. */
export interface ChallengeBoard {
  /**
   * Adds an http-01 challenge (RFC 8555 §8.3): requests for `/.well-known/acme-challenge/<token>` with the host `name`,
   * on any server and port, return the key authorization. Resolves when every thread serves it.
   */
  http(name: string, challenge: string, keyAuthorization: string): Promise<TakeDown>;
  /**
   * Adds a tls-alpn-01 challenge (RFC 8737): handshakes for `name` with `acme-tls/1` use this certificate. Resolves when every thread
   * serves it.
   */
  tlsAlpn(name: string, certificate: CertificatePair): Promise<TakeDown>;
}

/** Challenges of other servers with the same storage, because the CA may contact any of these servers. Used in the control thread. */
export interface SharedChallenges {
  /** Returns the key authorization of an http-01 challenge, or `null` if there is none with this token. */
  http(name: string, challenge: string): Promise<string | null>;
  /** Returns a certificate for a tls-alpn-01 challenge; `null` if there is no such challenge. */
  tlsAlpn(name: string): Promise<CertificatePair | null>;
}

/** The challenge board, provided to all modules of the `tls` app, including issuers. */
export const challengeBoardToken: Token<ChallengeBoard> = token<ChallengeBoard>('challenge_board');
