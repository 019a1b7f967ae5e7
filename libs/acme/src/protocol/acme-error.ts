/** Errors of this package that are not documents of the protocol (see {@link AcmeProblem}). */

/** What the code says is in `docs/errors.md`: an authority that cannot be used, or a rule of our server that cannot be read. */
export class AcmeError extends Error {
  readonly code: 'ERR_ACME_AUTHORITY' | 'ERR_ACME_POLICY';

  constructor(code: AcmeError['code'], message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'AcmeError';
    this.code = code;
  }
}
