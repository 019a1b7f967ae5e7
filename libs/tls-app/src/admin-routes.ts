/** Routes of the admin API: the certificates that are served, and those that are to come. */
import { tlsApp, type AdminRoutes } from '@sluice/registry';
import type { ManagedName } from './automation/managed-name.ts';
import type { Certificate } from './certificates/certificate.ts';
import { ThreadTls } from './thread-tls.ts';

/** An entry of `GET /certificates`. Times are RFC 3339; there are no secrets in it. */
interface CertificateStatus {
  /** The name that is managed; absent for a certificate that was loaded. */
  readonly identifier?: string;
  readonly subject?: string;
  readonly names?: readonly string[];
  readonly issuer?: string;
  readonly serial_number?: string;
  readonly key_algorithm?: string;
  /** SHA-256 of the certificate, in hex. */
  readonly fingerprint?: string;
  readonly not_before?: string;
  readonly not_after?: string;
  readonly tags?: readonly string[];
  /** Where it came from: a file, a key of a storage. */
  readonly source?: string;
  readonly managed: boolean;
  /** Storage keys of the issuers that are asked, in their order. */
  readonly issuers?: readonly string[];
  readonly last_error?: string | null;
  /** When it is renewed, or obtaining it is tried again; `null` if that is under way. */
  readonly next_attempt?: string | null;
}

/** Adds `GET /certificates`; `?name=` shows those for one name. */
export function addCertificateRoutes(routes: AdminRoutes): void {
  routes.add({
    method: 'GET',
    path: '/certificates',
    handle: ({ query }, engine) => {
      const tls = engine.app(tlsApp);
      const entries = tls instanceof ThreadTls ? statusOf(tls) : [];
      const name = query.get('name');
      return { json: name === null ? entries : entries.filter((entry) => isFor(entry, name)) };
    },
  });
}

function statusOf(tls: ThreadTls): CertificateStatus[] {
  const managed = [...(tls.management?.names ?? [])];
  const own = new Set(managed.map(({ certificate }) => certificate?.hash));
  const loaded = [...tls.index].filter(({ hash }) => !own.has(hash));
  return [...loaded.map((each) => ({ ...describe(each), managed: false })), ...managed.map(describeManaged)];
}

function describe(certificate: Certificate): Omit<CertificateStatus, 'managed'> {
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
  };
}

function describeManaged(managed: ManagedName): CertificateStatus {
  const { name, certificate, issuers, lastError, due, busy } = managed;
  return {
    identifier: name,
    ...(certificate === null ? {} : describe(certificate)),
    managed: true,
    issuers: issuers.map(({ storageKey }) => storageKey),
    last_error: lastError,
    next_attempt: busy || due <= 0 || due === Number.POSITIVE_INFINITY ? null : new Date(due).toISOString(),
  };
}

function isFor({ identifier, names = [] }: CertificateStatus, name: string): boolean {
  return identifier === name || names.includes(name);
}
