/** Contracts of authentication: providers check requests, hashes check passwords. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Exchange } from './exchange/exchange.ts';

/** Who a request is from. */
export interface User {
  /** `{http.auth.user.id}`. */
  readonly id: string;
  /** Further facts: `{http.auth.user.<name>}`. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Finds out who a request is from. */
export interface AuthenticationProvider {
  /** The user, or `null`; a provider that challenges clients sets its response fields then. */
  authenticate(exchange: Exchange): User | null | Promise<User | null>;
}

/** Checks passwords against stored hashes, away from the event loop. */
export interface PasswordHash {
  /** Whether a password is the one of a hash. A hash of another algorithm is an error. */
  verify(hash: string, password: string): Promise<boolean>;
  /** A hash that no password has and that costs what another one does, for users that do not exist. */
  decoy(like: string): string;
}

/** `http.authentication.providers`: a module map. */
export const authenticationProviders: Namespace<AuthenticationProvider> = namespace<AuthenticationProvider>(
  'http.authentication.providers',
);
/** `http.authentication.hashes`: inline key `algorithm`. */
export const passwordHashes: Namespace<PasswordHash> = namespace<PasswordHash>('http.authentication.hashes');
