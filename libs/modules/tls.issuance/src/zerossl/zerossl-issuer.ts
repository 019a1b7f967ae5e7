/** ZeroSSL certificate issuer. Each call makes one attempt, and the `tls` app handles retries. */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SluiceError } from '@sluice/base';
import type { CertificateOrder, IssuedCertificate, Issuer } from '@sluice/tls-app';
import { setRecord } from '../acme/challenges/dns.ts';
import type { DnsSettings } from '../acme/challenges/dns-settings.ts';
import { ChallengeListeners } from '../acme/challenges/listen.ts';
import type { ZeroSslApi, ZeroSslCertificate, ZeroSslValidation } from './api.ts';

export interface ZeroSslSettings {
  readonly api: ZeroSslApi;
  readonly validityDays: number;
  readonly host: string | null;
  readonly port: number;
  /** Settings for CNAME validation, or `null` for validation with files over HTTP. */
  readonly dns: DnsSettings | null;
}

const firstPoll = 1_000;
const maxPollInterval = 15_000;
const maxIds = 1_000;

/** Temporary servers for validation files. Entries are file contents, keyed by path. */
const listeners = new ChallengeListeners<string>((files) =>
  createServer(({ url }, response) => {
    const text = files.get(url ?? '');
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/plain', connection: 'close' });
    response.end(text);
  }),
);

/** ZeroSSL's revocation reasons, keyed by reason code (RFC 5280 §5.3.1). */
const reasons: Readonly<Record<number, string>> = {
  1: 'keyCompromise',
  3: 'affiliationChanged',
  4: 'Superseded',
  5: 'cessationOfOperation',
};

export class ZeroSslIssuer implements Issuer {
  readonly storageKey = 'zerossl';
  readonly #settings: ZeroSslSettings;
  /** IDs of recently issued certificates, keyed by certificate chain. Revocation requires the ID. */
  readonly #ids = new Map<string, string>();

  constructor(settings: ZeroSslSettings) {
    this.#settings = settings;
  }

  /** Returns the reason why a name cannot be validated, or `null` if it can. */
  objection(name: string): string | null {
    return name.startsWith('*.') && this.#settings.dns === null ? 'wildcard names require cname_validation' : null;
  }

  async issue({ names, csr, signal }: CertificateOrder): Promise<IssuedCertificate> {
    const { api, validityDays } = this.#settings;
    const ordered = await api.create(names, pemOf(csr), validityDays, signal);
    const takeDown: (() => Promise<void>)[] = [];
    try {
      for (const name of names) takeDown.push(await this.#putUp(validationOf(ordered, name), signal));
      await api.validate(ordered.id, this.#settings.dns === null ? 'HTTP_CSR_HASH' : 'CNAME_CSR_HASH', signal);
      await this.#issued(ordered.id, signal);
    } catch (error) {
      // Cancel the order, because pending orders count against the account's limits.
      await api.cancel(ordered.id, AbortSignal.timeout(10_000)).catch(() => {});
      throw error;
    } finally {
      for (const each of takeDown) await each();
    }
    const chain = await api.download(ordered.id, signal);
    this.#remember(chain, ordered.id);
    return { chain, data: { id: ordered.id } };
  }

  async revoke(chain: string, reason: number, signal: AbortSignal): Promise<void> {
    const id = this.#ids.get(chain);
    if (id === undefined)
      throw new SluiceError('ERR_ISSUANCE', 'cannot revoke certificate: the ZeroSSL certificate ID is unknown');
    await this.#settings.api.revoke(id, reasons[reason] ?? 'unspecified', signal);
  }

  #remember(chain: string, id: string): void {
    this.#ids.set(chain, id);
    for (const oldest of this.#ids.keys()) if (this.#ids.size > maxIds) this.#ids.delete(oldest);
  }

  async #putUp(validation: ZeroSslValidation, signal: AbortSignal): Promise<() => Promise<void>> {
    const { dns, host, port } = this.#settings;
    if (dns === null) {
      const { pathname } = new URL(validation.file_validation_url_http);
      return listeners.serve(host, port, pathname, validation.file_validation_content.join('\n'));
    }
    const { cname_validation_p1: name, cname_validation_p2: target } = validation;
    return setRecord(
      dns,
      { name: dns.overrideName ?? name.toLowerCase(), type: 'CNAME', value: target.toLowerCase() },
      signal,
    );
  }

  async #issued(id: string, signal: AbortSignal): Promise<void> {
    for (let poll = firstPoll; ; poll = Math.min(poll * 2, maxPollInterval)) {
      const { status } = await this.#settings.api.get(id, signal);
      if (status === 'issued') return;
      if (status !== 'draft' && status !== 'pending_validation')
        throw new SluiceError('ERR_ISSUANCE', `ZeroSSL certificate ${id} failed with status ${status}`);
      await sleep(poll, undefined, { signal });
    }
  }
}

function validationOf({ id, validation }: ZeroSslCertificate, name: string): ZeroSslValidation {
  const found = validation?.other_methods?.[name];
  if (found === undefined)
    throw new SluiceError('ERR_ISSUANCE', `ZeroSSL returned no validation method for ${name} in certificate ${id}`);
  return found;
}

function pemOf(csr: Buffer): string {
  const lines = csr.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}
