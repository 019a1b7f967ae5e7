/**
 * Access control for the remote admin endpoint (`admin.remote.access_control`). Clients authenticate with certificates whose public keys
 * are configured.
 */
import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { publicKeyOf } from './public-key.ts';
import type { Access, Refusal } from './access.ts';
import { Authority, type PermissionOptions } from './authority.ts';

export interface AccessOptions {
  /** Client certificates as base64-encoded DER. Their public keys identify the client. */
  readonly public_keys?: readonly string[] | null | undefined;
  /** List of permissions. A request is allowed if any permission matches. A missing list allows everything. */
  readonly permissions?: readonly PermissionOptions[] | null | undefined;
}

/** Error for an invalid entry. `at` is the position of the entry in the list. */
export class AccessError extends Error {
  readonly at: readonly (string | number)[];

  constructor(message: string, ...at: readonly (string | number)[]) {
    super(message);
    this.at = at;
  }
}

/** Identifies clients by the public key that the TLS handshake verified. */
export class CertificateAccess implements Access {
  readonly readsAuthorization = false;
  readonly #authorities: ReadonlyMap<string, Authority>;

  /** Combines the permissions of entries with the same key. Throws {@link AccessError} if an entry is invalid. */
  constructor(entries: readonly AccessOptions[]) {
    const permissions = new Map<string, readonly PermissionOptions[]>();
    const everything: readonly PermissionOptions[] = [{}];
    for (const [index, entry] of entries.entries()) {
      const allowed = (entry.permissions ?? []).length === 0 ? everything : (entry.permissions ?? []);
      for (const [at, text] of (entry.public_keys ?? []).entries()) {
        const key = keyOf(text, index, at);
        permissions.set(key, [...(permissions.get(key) ?? []), ...allowed]);
      }
      checkPermissions(allowed, index);
    }
    this.#authorities = new Map(
      [...permissions].map(([key, list]) => [key, new Authority(`key ${key.slice(0, 16)}`, list)]),
    );
  }

  /** Reports whether a DER-encoded public key is configured. */
  admits(publicKey: Buffer): boolean {
    return this.#authorities.has(fingerprint(publicKey));
  }

  identify({ socket }: IncomingMessage): Authority | Refusal {
    const key = publicKeyOf(socket as TLSSocket);
    const authority = key === null ? undefined : this.#authorities.get(fingerprint(key));
    return authority ?? { status: 403, message: 'unknown client certificate', challenge: null };
  }
}

function keyOf(text: string, index: number, at: number): string {
  try {
    const { publicKey } = new X509Certificate(Buffer.from(text, 'base64'));
    return fingerprint(publicKey.export({ type: 'spki', format: 'der' }));
  } catch {
    throw new AccessError('is not a certificate: expected base64 of DER', index, 'public_keys', at);
  }
}

function checkPermissions(permissions: readonly PermissionOptions[], index: number): void {
  try {
    void new Authority(null, permissions);
  } catch (error) {
    throw new AccessError((error as Error).message, index, 'permissions');
  }
}

function fingerprint(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex');
}
