/** Admin API routes for certificates. They cover both served certificates and certificates that have not been obtained yet. */
import { SluiceError } from '@sluice/base';
import { tlsApp } from '@sluice/contracts';
import type { AdminRoutes } from '@sluice/registry';
import type { ManagedName } from './automation/managed-name.ts';
import type { Certificate } from './certificates/certificate.ts';
import type { ThreadTls } from './thread-tls.ts';

/** An entry in the response of `GET /certificates`. Times are in RFC 3339 format. Contains no secrets. */
interface CertificateStatus {
  /** Managed name, or undefined for a certificate that was loaded from the configuration. */
  readonly identifier?: string;
  readonly subject?: string;
  readonly names?: readonly string[];
  readonly issuer?: string;
  readonly serial_number?: string;
  readonly key_algorithm?: string;
  /** SHA-256 fingerprint of the certificate, in hexadecimal. */
  readonly fingerprint?: string;
  readonly not_before?: string;
  readonly not_after?: string;
  readonly tags?: readonly string[];
  /** Source of the certificate: a file or a storage key. */
  readonly source?: string;
  readonly managed: boolean;
  /** Storage keys of the issuers, in order of preference. */
  readonly issuers?: readonly string[];
  readonly last_error?: string | null;
  /** Status of the stapled OCSP response. Undefined if no response is stapled. */
  readonly ocsp?: OcspStatus;
  /** Time of the next renewal or issuance attempt. `null` if an attempt is in progress. */
  readonly next_attempt?: string | null;
}

interface OcspStatus {
  readonly responder: string;
  /** `null` if unknown. */
  readonly status: 'good' | 'revoked' | 'unknown' | null;
  readonly this_update: string | null;
  readonly next_update: string | null;
  readonly last_error: string | null;
}

/**
 * Registers `GET /certificates`, which supports the filter `?name=`, and `POST /certificates/NAME/renew`. The second route immediately
 * renews a managed certificate, or retries a failed attempt. `GET /certificates` and events report the result.
 */
export function addCertificateRoutes({ router, server, describe: describeRoutes }: AdminRoutes): void {
  describeRoutes(async () => (await import('./admin-operations.ts')).operations);
  router.get('/certificates', async ({ query }, response) => {
    const { ThreadTls: Own } = await import('./thread-tls.ts');
    const tls = server.app(tlsApp);
    const entries = tls instanceof Own ? statusOf(tls) : [];
    const [name] = [query['name'] ?? []].flat();
    response.json(name === undefined ? entries : entries.filter((entry) => isFor(entry, name)));
  });
  router.post('/certificates/:name/renew', async ({ params: { name } }, response) => {
    const { ThreadTls: Own } = await import('./thread-tls.ts');
    const tls = server.app(tlsApp);
    const managed = tls instanceof Own ? (tls.management?.renew(name) ?? null) : null;
    if (managed === null || !(tls instanceof Own)) throw notManaged(name);
    response.json(describeManaged(managed, tls));
  });
}

function notManaged(name: string): SluiceError {
  return new SluiceError(
    'ERR_ADMIN_PATH',
    `certificate ${JSON.stringify(name)} is not managed; list managed certificates with GET /certificates`,
    { status: 404 },
  );
}

function statusOf(tls: ThreadTls): CertificateStatus[] {
  const managed = [...(tls.management?.lifecycle.names.all() ?? [])];
  const own = new Set(managed.map(({ certificate }) => certificate?.hash));
  const loaded = [...tls.index].filter(({ hash }) => !own.has(hash));
  return [
    ...loaded.map((each) => ({ ...describe(each, tls), managed: false })),
    ...managed.map((each) => describeManaged(each, tls)),
  ];
}

function describe(certificate: Certificate, tls: ThreadTls): Omit<CertificateStatus, 'managed'> {
  const { subject, names, issuer, serial, keyKind, hash, notBefore, notAfter, tags, source } = certificate;
  return {
    subject,
    names,
    issuer,
    serial_number: serial,
    key_algorithm: keyKind,
    fingerprint: hash,
    not_before: new Date(notBefore).toISOString(),
    not_after: new Date(notAfter).toISOString(),
    tags,
    source,
    ...ocspOf(hash, tls),
  };
}

function ocspOf(hash: string, { management }: ThreadTls): { readonly ocsp?: OcspStatus } {
  const stapled = management?.stapling.get(hash) ?? null;
  if (stapled === null) return {};
  const { response, rule, lastError } = stapled;
  return {
    ocsp: {
      responder: rule.responder,
      status: response?.status ?? null,
      this_update: response === null ? null : new Date(response.from).toISOString(),
      next_update: response === null ? null : new Date(response.until).toISOString(),
      last_error: lastError,
    },
  };
}

function describeManaged(managed: ManagedName, tls: ThreadTls): CertificateStatus {
  const { name, certificate, issuers, lastError, due, busy } = managed;
  return {
    identifier: name,
    ...(certificate === null ? {} : describe(certificate, tls)),
    managed: true,
    issuers: issuers.map(({ storageKey }) => storageKey),
    last_error: lastError,
    next_attempt: busy || due <= 0 || due === Number.POSITIVE_INFINITY ? null : new Date(due).toISOString(),
  };
}

function isFor({ identifier, names = [] }: CertificateStatus, name: string): boolean {
  return identifier === name || names.includes(name);
}
