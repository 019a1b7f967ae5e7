/** Authentication contracts: providers authenticate requests, hashes verify passwords. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Exchange } from './exchange/exchange.ts';

/** Authenticated user of a request. */
export interface User {
  /** `{http.auth.user.id}`. */
  readonly id: string;
  /** More user data: `{http.auth.user.<name>}`. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Authenticates requests. */
export interface AuthenticationProvider {
  /** Returns the user, or `null`. A provider that challenges clients sets response fields when it returns `null`. */
  authenticate(exchange: Exchange): User | null | Promise<User | null>;
}

/** Verifies passwords against stored hashes, off the event loop. */
export interface PasswordHash {
  /** Reports whether a password matches a hash. Fails if the hash uses another algorithm. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Returns a hash that matches no password and costs as much to verify as `like`; used for unknown users. */
  decoy(like: string): string;
}

/** Namespace `http.authentication.providers`: a module map. */
export const authenticationProviders: Namespace<AuthenticationProvider> = namespace<AuthenticationProvider>(
  'http.authentication.providers',
);
/** Namespace `http.authentication.hashes`; inline key `algorithm`. */
export const passwordHashes: Namespace<PasswordHash> = namespace<PasswordHash>('http.authentication.hashes');
