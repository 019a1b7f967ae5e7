/** Self-signed certificates, keyed by server name. The package `selfsigned` is loaded on first use. */
import { isIP } from 'node:net';
import type { ClientHello } from '@sluice/contracts';
import type { CertificateManager, CertificatePair } from '@sluice/tls-app';

const day = 86_400_000;
/** Validity period of a certificate, and the part of this period during which the certificate is used. Both are in milliseconds. */
const lifetime = 7 * day;
const usedFor = lifetime / 2;
/** Time in milliseconds by which the start of the validity period is backdated, for clients whose clocks are slow. */
const slack = 60 * 60_000;
/** Maximum number of cached certificates. The limit is necessary because clients choose the names. */
const maxKept = 1000;
/** Valid server names. Clients may send arbitrary bytes as a server name. */
const hostName = /^[a-z\d](?:[a-z\d._-]{0,251}[a-z\d])?$/i;

interface Made {
  readonly pair: Promise<CertificatePair>;
  readonly until: number;
}

/**
 * Certificate manager that generates one certificate for each requested server name. If the client requested no name, uses the local
 * address.
 */
export class SelfSigned implements CertificateManager {
  readonly #made = new Map<string, Made>();

  async get({ serverName, localAddress }: ClientHello): Promise<CertificatePair | null> {
    const name = serverName === '' ? addressOf(localAddress) : serverName.toLowerCase();
    if (isIP(name) === 0 && !hostName.test(name)) return null;
    const known = this.#made.get(name);
    if (known !== undefined && Date.now() < known.until) return known.pair;
    return this.#make(name);
  }

  #make(name: string): Promise<CertificatePair> {
    this.#made.delete(name);
    const [oldest] = this.#made.keys();
    if (oldest !== undefined && this.#made.size >= maxKept) this.#made.delete(oldest);
    const made = { pair: sign(name), until: Date.now() + usedFor };
    this.#made.set(name, made);
    made.pair.catch(() => this.#made.delete(name));
    return made.pair;
  }
}

/** Returns the local address without its IPv6 zone. */
function addressOf(localAddress: string): string {
  const [address = ''] = localAddress.split('%');
  return address === '' ? 'localhost' : address;
}

async function sign(name: string): Promise<CertificatePair> {
  const { generate } = await import('selfsigned');
  const now = Date.now();
  const altName = isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const);
  const made = await generate([{ name: 'commonName', value: 'Self-signed' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - slack),
    notAfterDate: new Date(now + lifetime),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [altName] },
    ],
  });
  return { chain: made.cert, key: made.private };
}
