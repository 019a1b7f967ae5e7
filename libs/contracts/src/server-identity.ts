/** Server identity, which authenticates this server to other servers. */
import type { JsonObject } from '@sluice/base';
import { token, type Token, type Context } from '@sluice/registry';

export interface IdentityCertificate {
  /** PEM certificate chain, with the leaf certificate first. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

/** Certificates of `admin.identity`, one for each identifier. They are obtained and renewed in the background. */
export interface ServerIdentity {
  /**
   * Returns the certificate for a name. If no name is given, returns the certificate for the first identifier. Waits while issuance is
   * pending. If issuance fails, rejects with the reason.
   */
  certificate(name?: string): Promise<IdentityCertificate>;
  /** Subscribes to certificate changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** Service token that the `admin` section provides to its modules. */
export const serverIdentity: Token<ServerIdentity | null> = token<ServerIdentity | null>('server_identity');

/** Provisions the `admin.identity` option. */
export type IdentityProvision = (node: JsonObject, context: Context) => Promise<ServerIdentity>;

/** Thread service that creates server identities. The server provides this service, because certificate issuers belong to the `tls` app. */
export const identityProvision: Token<IdentityProvision> = token<IdentityProvision>('identity_provision');
