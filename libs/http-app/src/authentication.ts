/** Authentication contracts: providers authenticate requests, hashes verify passwords. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Exchange } from './exchange/exchange.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Authenticated user of a request. */
export interface User {
  /** Value of `{http.auth.user.id}`. */
  readonly id: string;
  /** Values of `{http.auth.user.<name>}`. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface AuthenticationProvider {
  /**
   * Request fields that only this provider sets, in lower case. They are removed from all requests before any provider
   * is called.
   */
  readonly ownFields?: readonly string[];
  /**
   * Returns the user, or `null`. A provider that challenges clients sets its response fields when it returns `null`. It may also end the
   * response itself, for example for a callback of a sign-in. An `HttpError` ends the request with its status.
   */
  authenticate(exchange: Exchange): User | null | Promise<User | null>;
  /**
   * Asks the client to sign in, for example by a redirect. Called if no provider recognized the user. Returns false if it left the response
   * to others, so that the request fails with 401.
   */
  challenge?(exchange: Exchange): boolean | Promise<boolean>;
  /**
   * Replaces `authenticate` and `challenge` in dry runs, for providers that contact other servers. Reports whether the
   * request has a user. If the provider would end the request, ends it with `rehearsal.stop`.
   */
  rehearse?(exchange: Exchange, rehearsal: Rehearsal): boolean;
}

/** Verifies passwords against stored hashes, off the event loop. */
export interface PasswordHash {
  /** Reports whether a password matches a hash. Fails if the hash uses another algorithm. */
  verify(hash: string, password: string): Promise<boolean>;
  /**
   * Returns a hash that matches no password and takes as long to verify as `like`. Verified for unknown users, so that
   * response times do not reveal user names.
   */
  decoy(like: string): string;
}

/** Namespace `http.authentication.providers`: a module map. */
export const authenticationProviders: Namespace<AuthenticationProvider> = namespace<AuthenticationProvider>(
  'http.authentication.providers',
);
/** Namespace `http.authentication.hashes`; inline key `algorithm`. */
export const passwordHashes: Namespace<PasswordHash> = namespace<PasswordHash>('http.authentication.hashes');
