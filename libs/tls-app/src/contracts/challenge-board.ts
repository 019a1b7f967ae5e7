/** Contract of the challenge board: what issuers put up so that any thread can prove control of a name. */
import { token, type Token } from '@sluice/registry';
import type { CertificatePair } from './key-pair.ts';

/** Takes a challenge down again, in all threads. Never rejects, and does nothing the second time. */
export type TakeDown = () => Promise<void>;

/** Puts up challenges. In the control thread; elsewhere its methods reject. */
export interface ChallengeBoard {
  /**
   * http-01 (RFC 8555 §8.3): requests for `/.well-known/acme-challenge/<token>` of the host `name`, on any server and
   * port, get the key authorization. Resolves when every thread serves it.
   */
  http(name: string, challenge: string, keyAuthorization: string): Promise<TakeDown>;
  /**
   * tls-alpn-01 (RFC 8737): handshakes for `name` that offer `acme-tls/1` get this certificate. Resolves when every
   * thread serves it.
   */
  tlsAlpn(name: string, certificate: CertificatePair): Promise<TakeDown>;
}

/** What other servers with the same storage have put up: the CA may ask any of them. In the control thread. */
export interface SharedChallenges {
  /** The key authorization of an http-01 challenge, or `null` where there is none with this token. */
  http(name: string, challenge: string): Promise<string | null>;
  /** A certificate for a tls-alpn-01 challenge, or `null` where there is none. */
  tlsAlpn(name: string): Promise<CertificatePair | null>;
}

/** The board. Provided to all that the app `tls` hosts, issuers among them. */
export const challengeBoardToken: Token<ChallengeBoard> = token<ChallengeBoard>('challenge_board');
