/** Server identity, for authentication to other servers. */
import type { JsonObject } from '@sluice/base';
import { token, type Token, type Context } from '@sluice/registry';

export interface IdentityCertificate {
  /** PEM certificate chain, leaf first. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

/** The certificates of `admin.identity`, one per identifier, obtained and renewed in the background. */
export interface ServerIdentity {
  /**
   * Returns the certificate for a name, or for the first identifier by default. Waits for pending issuance, and rejects with the reason if
   * issuance fails.
   */
  certificate(name?: string): Promise<IdentityCertificate>;
  /** Subscribes to certificate changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** Provided by the section `admin` to its modules. */
export const serverIdentity: Token<ServerIdentity | null> = token<ServerIdentity | null>('server_identity');

/** Provisions the `admin.identity` option. */
export type IdentityProvision = (node: JsonObject, context: Context) => Promise<ServerIdentity>;

/** A thread service that creates identities. The server provides the service, because issuers belong to the `tls` app. */
export const identityProvision: Token<IdentityProvision> = token<IdentityProvision>('identity_provision');
