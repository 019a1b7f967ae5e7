/** Client for the ZeroSSL REST API (https://zerossl.com/documentation/api/). */
import { SluiceError } from '@sluice/base';
import type { AcmeTransport } from '@sluice/acme';

export interface ZeroSslValidation {
  readonly file_validation_url_http: string;
  readonly file_validation_content: readonly string[];
  /** Name of the CNAME record for validation; `cname_validation_p2` is its target. */
  readonly cname_validation_p1: string;
  readonly cname_validation_p2: string;
}

/** A ZeroSSL certificate with its status. */
export interface ZeroSslCertificate {
  readonly id: string;
  readonly status: string;
  readonly validation?: { readonly other_methods?: Readonly<Record<string, ZeroSslValidation>> };
}

/** Validation methods. */
export type ZeroSslMethod = 'CNAME_CSR_HASH' | 'HTTP_CSR_HASH';

interface ErrorBody {
  readonly success?: boolean | number;
  readonly error?: { readonly code?: number; readonly type?: string };
}

const base = 'https://api.zerossl.com';

/** ZeroSSL API client for one account. */
export class ZeroSslApi {
  readonly #transport: AcmeTransport;
  readonly #key: string;

  constructor(transport: AcmeTransport, key: string) {
    this.#transport = transport;
    this.#key = key;
  }

  /** Orders a certificate. `csr` is in PEM format. */
  create(names: readonly string[], csr: string, days: number, signal: AbortSignal): Promise<ZeroSslCertificate> {
    const fields = {
      certificate_domains: names.join(','),
      certificate_csr: csr,
      certificate_validity_days: String(days),
      strict_domains: '1',
    };
    return this.#ask('POST', '/certificates', fields, signal) as Promise<ZeroSslCertificate>;
  }

  /** Requests validation of a certificate's names by ZeroSSL. */
  async validate(id: string, method: ZeroSslMethod, signal: AbortSignal): Promise<void> {
    await this.#ask('POST', `/certificates/${id}/challenges`, { validation_method: method }, signal);
  }

  /** Returns a certificate with its current status. */
  get(id: string, signal: AbortSignal): Promise<ZeroSslCertificate> {
    return this.#ask('GET', `/certificates/${id}`, null, signal) as Promise<ZeroSslCertificate>;
  }

  /** Returns the certificate and its intermediate certificates, in PEM format. */
  async download(id: string, signal: AbortSignal): Promise<string> {
    const files = await this.#ask('GET', `/certificates/${id}/download/return`, null, signal);
    const { 'certificate.crt': certificate = '', 'ca_bundle.crt': bundle = '' } = files as Record<string, string>;
    if (certificate === '') throw new SluiceError('ERR_ISSUANCE', 'ZeroSSL returned no certificate');
    return `${certificate.trimEnd()}\n${bundle.trimEnd()}\n`;
  }

  /** Cancels an order. */
  async cancel(id: string, signal: AbortSignal): Promise<void> {
    await this.#ask('POST', `/certificates/${id}/cancel`, {}, signal);
  }

  async revoke(id: string, reason: string, signal: AbortSignal): Promise<void> {
    await this.#ask('POST', `/certificates/${id}/revoke`, { reason }, signal);
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    fields: Record<string, string> | null,
    signal: AbortSignal,
  ): Promise<object> {
    const { status, body } = await this.#transport
      .send({
        method,
        // Send the access key in the query, because the API accepts it only there.
        url: `${base}${path}?${new URLSearchParams({ access_key: this.#key }).toString()}`,
        ...(fields !== null && {
          contentType: 'application/x-www-form-urlencoded',
          body: new URLSearchParams(fields).toString(),
        }),
        signal,
      })
      .catch((error: unknown) => {
        // Remove the access key from the message, which can contain the URL.
        throw new SluiceError('ERR_ISSUANCE', `${method} ${base}${path}: ${messageWithout(this.#key, error)}`);
      });
    return checked(`${method} ${base}${path}`, status, body);
  }
}

function messageWithout(secret: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(encodeURIComponent(secret), '…').replaceAll(secret, '…');
}

/** Returns the parsed response. Throws if the response reports a failure. The API reports failures even with status 200. */
function checked(what: string, status: number, body: string): object {
  let response: (ErrorBody & object) | null = null;
  try {
    response = JSON.parse(body) as ErrorBody & object;
  } catch {
    // Ignore the error, because the code below reports it.
  }
  if (typeof response !== 'object' || response === null)
    throw new SluiceError('ERR_ISSUANCE', `${what} responded with status ${status}, but the body is not JSON`);
  const { success, error } = response;
  if (error !== undefined || success === false || success === 0)
    throw new SluiceError(
      'ERR_ISSUANCE',
      `${what}: ${error?.type ?? 'failed'}${error?.code === undefined ? '' : ` (${error.code})`}`,
    );
  if (status >= 400) throw new SluiceError('ERR_ISSUANCE', `${what} responded with status ${status}`);
  return response;
}
