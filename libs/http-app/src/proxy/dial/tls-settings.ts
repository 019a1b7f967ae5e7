/** TLS settings for upstream connections: trusted CAs and client certificates. */
import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { caPoolSources, checkedCertificates } from '@sluice/contracts';
import { timeOption } from '../time-option.ts';
import type { Context } from '@sluice/registry';
import { identityCheck, type IdentityCheck } from './identity-check.ts';
import type { TlsConfig } from './tls-options.ts';

/** Certificates and keys in PEM format, for TLS implementations other than Node's. */
export interface TlsMaterial {
  /** Trusted CA certificates in PEM format. */
  readonly authorities: readonly string[];
  /** Client certificate and private key in PEM format; `null` if there are none. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  /** Key exchange groups as OpenSSL names separated by colons. Empty means OpenSSL's default. */
  readonly groups: string;
}

export interface TlsSettings {
  readonly context: SecureContext;
  /** The contents of {@link context} in PEM format, for TLS implementations other than Node's. */
  readonly material: () => TlsMaterial;
  /** Server name for SNI and verification. It may contain placeholders. Empty means the dialed host. */
  readonly serverName: string;
  readonly verify: boolean;
  /** Function that checks the names in a server certificate. If `null`, the certificate must match the SNI server name. */
  readonly checkIdentity: IdentityCheck | null;
  /** TLS handshake timeout in milliseconds. 0 disables this timeout. */
  readonly handshakeTimeout: number;
  /** Upstream ports that are dialed without TLS. */
  readonly exceptPorts: ReadonlySet<number>;
}

const defaultHandshakeTimeout = 10_000;

/** OpenSSL names of key exchange groups, keyed by Caddy's names. */
const curveNames: Readonly<Record<string, string>> = {
  x25519: 'X25519',
  secp256r1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
  x25519mlkem768: 'X25519MLKEM768',
};

/** TLS context for transports without TLS options, created on first use. Trusts both Node's and the system's CAs. */
let standardContext: SecureContext | null = null;

/** Resolved TLS settings, together with a key string. Identical settings have the same key string. */
export interface ResolvedTls {
  readonly settings: TlsSettings;
  readonly key: string;
}

/** Resolves TLS options to settings. Certificate files are read once, during this call. */
export async function tlsSettings(config: TlsConfig, context: Context): Promise<ResolvedTls> {
  if (config.renegotiation && config.renegotiation !== 'never')
    throw context.error(
      `${JSON.stringify(config.renegotiation)} is not supported; only "never" is`,
      'tls',
      'renegotiation',
    );
  if (config.client_certificate_automate)
    throw context.error(
      'managed client certificates are not supported yet; use client_certificate_file',
      'tls',
      'client_certificate_automate',
    );
  const ca = await trustedCertificates(config, context);
  const shown = await clientCertificate(config, context);
  const ecdhCurve = (config.curves ?? []).map((name, i) => curveName(name, context, i)).join(':');
  const settings: TlsSettings = {
    context: contextOf(ca, shown, ecdhCurve, context),
    material: () => ({ authorities: ca ?? defaultAuthorities(), certificate: shown, groups: ecdhCurve }),
    serverName: config.server_name ?? '',
    verify: config.insecure_skip_verify !== true,
    checkIdentity: (config.subject_alt_names ?? []).length === 0 ? null : identityCheck(config.subject_alt_names ?? []),
    handshakeTimeout: timeOption(
      config.handshake_timeout,
      defaultHandshakeTimeout,
      context,
      'tls',
      'handshake_timeout',
    ),
    exceptPorts: new Set((config.except_ports ?? []).map(Number)),
  };
  const parts = [
    ca,
    shown,
    ecdhCurve,
    settings.serverName,
    settings.verify,
    config.subject_alt_names ?? [],
    settings.handshakeTimeout,
    [...settings.exceptPorts].sort(),
  ];
  return { settings, key: createHash('sha256').update(JSON.stringify(parts)).digest('base64') };
}

function curveName(name: string, context: Context, index: number): string {
  const known = Object.hasOwn(curveNames, name) ? curveNames[name] : undefined;
  if (known === undefined)
    throw context.error(
      `${JSON.stringify(name)} is unknown; supported: ${Object.keys(curveNames).join(', ')}`,
      'tls',
      'curves',
      index,
    );
  return known;
}

function contextOf(
  ca: readonly string[] | null,
  shown: { cert: string; key: string } | null,
  ecdhCurve: string,
  context: Context,
): SecureContext {
  const plain = ca === null && shown === null && ecdhCurve === '';
  if (plain && standardContext !== null) return standardContext;
  try {
    const made = createSecureContext({
      ca: ca === null ? [...defaultAuthorities()] : [...ca],
      ...(shown ?? {}),
      ...(ecdhCurve === '' ? {} : { ecdhCurve }),
    });
    if (plain) standardContext = made;
    return made;
  } catch (error) {
    throw context.error((error as Error).message, 'tls');
  }
}

function defaultAuthorities(): readonly string[] {
  return [...getCACertificates('default'), ...getCACertificates('system')];
}

/** Returns the trusted certificates in PEM format; `null` means system CAs. */
async function trustedCertificates(config: TlsConfig, context: Context): Promise<readonly string[] | null> {
  if (config.ca) return (await context.loadInline(caPoolSources, config.ca, 'provider', 'tls', 'ca')).certificates;
  const certificates: string[] = [];
  for (const [index, text] of (config.root_ca_pool ?? []).entries()) {
    try {
      certificates.push(new X509Certificate(Buffer.from(text, 'base64')).toString());
    } catch (error) {
      throw context.error(
        `is not a base64-encoded DER certificate: ${(error as Error).message}`,
        'tls',
        'root_ca_pool',
        index,
      );
    }
  }
  for (const [index, file] of (config.root_ca_pem_files ?? []).entries()) {
    const text = await textOf(file, context, 'root_ca_pem_files', index);
    try {
      certificates.push(...checkedCertificates(text, file));
    } catch (error) {
      throw context.error((error as Error).message, 'tls', 'root_ca_pem_files', index);
    }
  }
  return certificates.length === 0 ? null : certificates;
}

async function clientCertificate(config: TlsConfig, context: Context): Promise<{ cert: string; key: string } | null> {
  const { client_certificate_file: certificate, client_certificate_key_file: key } = config;
  const { client_certificate_pem: cert, client_private_key_pem: keyText } = config;
  if (cert && keyText) return { cert, key: keyText };
  if (cert || keyText)
    throw context.error('client_certificate_pem and client_private_key_pem must be set together', 'tls');
  if (!certificate && !key) return null;
  if (!certificate || !key)
    throw context.error('client_certificate_file and client_certificate_key_file must be set together', 'tls');
  return {
    cert: await textOf(certificate, context, 'client_certificate_file'),
    key: await textOf(key, context, 'client_certificate_key_file'),
  };
}

async function textOf(file: string, context: Context, ...at: (string | number)[]): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw context.error((error as Error).message, 'tls', ...at);
  }
}
