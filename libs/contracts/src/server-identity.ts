/** The identity of this server: how it proves to others who it is. */
import type { JsonObject } from '@sluice/base';
import { token, type Token, type Context } from '@sluice/registry';

/** A certificate with its key. */
export interface IdentityCertificate {
  /** PEM, the chain from the leaf up. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

/** The certificates of `admin.identity`, one for each identifier, obtained and renewed in the background. */
export interface ServerIdentity {
  /**
   * The certificate for a name, or that of the first identifier for any other. Waits for one that is being obtained;
   * rejects with the reason if that fails.
   */
  certificate(name?: string): Promise<IdentityCertificate>;
  /** Calls back whenever a certificate is new. Returns the function that ends it. */
  onChange(listener: () => void): () => void;
}

/** Provided by the section `admin` for what it hosts. */
export const serverIdentity: Token<ServerIdentity | null> = token<ServerIdentity | null>('server_identity');

/** Provisions the option `admin.identity`, at its place. */
export type IdentityProvision = (node: JsonObject, context: Context) => Promise<ServerIdentity>;

/** The service of a thread that makes identities. The server puts it there, as the issuers belong to the app `tls`. */
export const identityProvision: Token<IdentityProvision> = token<IdentityProvision>('identity_provision');
