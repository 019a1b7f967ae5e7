/** Errors of this package that are not protocol documents (see {@link AcmeProblem}). */

/** An unusable CA, or an invalid rule of the ACME server. `docs/errors.md` describes the codes. */
export class AcmeError extends Error {
  readonly code: 'ERR_ACME_AUTHORITY' | 'ERR_ACME_POLICY';

  constructor(code: AcmeError['code'], message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'AcmeError';
    this.code = code;
  }
}
