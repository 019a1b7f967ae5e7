/** Interfaces for authentication modules. Providers authenticate requests, and hash modules verify passwords. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Exchange } from './exchange/exchange.ts';
import type { Rehearsal } from './rehearsal.ts';

export interface User {
  /** Value of `{http.auth.user.id}`. */
  readonly id: string;
  /** Values of `{http.auth.user.<name>}`. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface AuthenticationProvider {
  /**
   * Request headers that only this provider sets, in lowercase. The server removes these headers from all requests before it calls any
   * provider.
   */
  readonly ownFields?: readonly string[];
  /**
   * Authenticates a request. Returns the user, or `null` if authentication fails. A provider that challenges clients sets response headers
   * before it returns `null`. A provider may also complete the response itself, for example for a sign-in callback. An `HttpError` ends the
   * request with the status in the error.
   */
  authenticate(exchange: Exchange): User | null | Promise<User | null>;
  /**
   * Prompts the client to sign in, for example with a redirect. Called if no provider authenticated the user. Returns false if the provider
   * did not respond; the request then fails with status 401.
   */
  challenge?(exchange: Exchange): boolean | Promise<boolean>;
  /**
   * Replaces `authenticate` and `challenge` in dry runs, for providers that contact other servers. Reports whether the request has a user.
   * If the provider would complete the response, it calls `rehearsal.stop`.
   */
  rehearse?(exchange: Exchange, rehearsal: Rehearsal): boolean;
}

/** Verifies passwords against stored hashes, outside the event loop. */
export interface PasswordHash {
  /** Reports whether a password matches a hash. Rejects if the hash uses a different algorithm. */
  verify(hash: string, password: string): Promise<boolean>;
  /**
   * Returns a hash that matches no password and takes as long to verify as `like`. For an unknown user, the server checks the password
   * against this hash, so response times do not reveal whether a user exists.
   */
  decoy(like: string): string;
}

/** Module namespace `http.authentication.providers`, as a module map. */
export const authenticationProviders: Namespace<AuthenticationProvider> = namespace<AuthenticationProvider>(
  'http.authentication.providers',
);
/** Module namespace `http.authentication.hashes`, with the inline key `algorithm`. */
export const passwordHashes: Namespace<PasswordHash> = namespace<PasswordHash>('http.authentication.hashes');
