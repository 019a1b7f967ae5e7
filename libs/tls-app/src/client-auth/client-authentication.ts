/** Client authentication settings of a TLS connection policy. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TLSSocket } from 'node:tls';
import {
  caPoolSources,
  checkedCertificates,
  clientVerifiers,
  type CaPool,
  type ClientAuthConfig,
  type ClientVerifier,
} from '@sluice/contracts';
import { SluiceError, messageOf } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { expandGlobal } from '../global-text.ts';
import { verifyErrorOf } from './verify-error.ts';

export interface ClientAuthentication {
  /** True if the client must present a certificate. */
  readonly required: boolean;
  /** True if a client certificate must be valid and issued by a trusted CA. */
  readonly verified: boolean;
  /** Trusted CAs for client certificates, or `null` if none are configured. */
  readonly authorities: CaPool | null;
  readonly verifiers: readonly ClientVerifier[];
}

const at = 'client_authentication';

/** Provisions client authentication. Returns `null` if client certificates are not requested. */
export async function clientAuthentication(
  config: ClientAuthConfig,
  context: Context,
): Promise<ClientAuthentication | null> {
  const authorities = await authoritiesOf(config, context);
  const verifiers = await context.loadInlineList(clientVerifiers, config.verifiers ?? [], 'verifier', at, 'verifiers');
  const leaves = (config.trusted_leaf_certs ?? []).map((text, i) => fingerprintOf(text, context, i));
  if (leaves.length > 0) verifiers.push(leafVerifier(new Set(leaves)));
  const given = config.mode ?? '';
  if (given === '' && authorities === null && verifiers.length === 0) return null;
  // As in Caddy, trusted leaf certificates also require verification, although no CA is available for it.
  const verifies = authorities !== null || leaves.length > 0;
  const mode = given === '' ? (verifies ? 'require_and_verify' : 'require') : given;
  return {
    required: mode === 'require' || mode === 'require_and_verify',
    verified: mode === 'verify_if_given' || mode === 'require_and_verify',
    authorities,
    verifiers,
  };
}

/**
 * Checks the client certificate after the handshake, during which OpenSSL verified it. If the client is rejected, throws an error with the
 * reason.
 */
export function authenticate(socket: TLSSocket, { required, verified, verifiers }: ClientAuthentication): void {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) {
    if (required) throw new SluiceError('ERR_CLIENT_CERTIFICATE', 'the client sent no certificate');
    return;
  }
  const problem = verified ? verifyErrorOf(socket, certificate) : null;
  if (problem !== null)
    throw new SluiceError('ERR_CLIENT_CERTIFICATE', `the client certificate is not valid: ${problem}`);
  if (verifiers.length === 0) return;
  const chain: X509Certificate[] = [];
  for (let each: X509Certificate | undefined = certificate; each !== undefined; each = each.issuerCertificate) {
    chain.push(each);
    if (each.issuerCertificate === each) break;
  }
  for (const verifier of verifiers) verifier.verify(chain);
}

async function authoritiesOf(config: ClientAuthConfig, context: Context): Promise<CaPool | null> {
  const inline = config.trusted_ca_certs ?? [];
  const files = config.trusted_ca_certs_pem_files ?? [];
  if ((config.ca ?? null) !== null) {
    if (inline.length > 0 || files.length > 0)
      throw context.error(
        'cannot combine "ca" with "trusted_ca_certs" or "trusted_ca_certs_pem_files"; use only "ca"',
        at,
      );
    return context.loadInline(caPoolSources, config.ca ?? {}, 'provider', at, 'ca');
  }
  if (inline.length === 0 && files.length === 0) return null;
  const certificates = inline.map((text, i) => certificateOf(text, context, 'trusted_ca_certs', i).toString());
  for (const [i, file] of files.entries()) {
    try {
      const path = expandGlobal(file);
      certificates.push(...checkedCertificates(await readFile(path, 'utf8'), path));
    } catch (error) {
      throw context.error(messageOf(error), at, 'trusted_ca_certs_pem_files', i);
    }
  }
  return { certificates };
}

function certificateOf(text: string, context: Context, key: string, index: number): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch (error) {
    throw context.error(`is not a base64-encoded DER certificate: ${messageOf(error)}`, at, key, index);
  }
}

function fingerprintOf(text: string, context: Context, index: number): string {
  return certificateOf(text, context, 'trusted_leaf_certs', index).fingerprint256;
}

function leafVerifier(fingerprints: ReadonlySet<string>): ClientVerifier {
  return {
    verify([leaf]) {
      if (leaf === undefined || !fingerprints.has(leaf.fingerprint256))
        throw new SluiceError(
          'ERR_CLIENT_CERTIFICATE',
          'the client certificate is not in the list of trusted certificates',
        );
    },
  };
}
