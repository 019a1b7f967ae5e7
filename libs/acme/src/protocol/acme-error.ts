/** Errors of this package that are not ACME problem documents. For problem documents, see {@link AcmeProblem}. */

/** Error for an unusable CA or an invalid ACME server rule. `docs/errors.md` lists the error codes. */
export class AcmeError extends Error {
  readonly code: 'ERR_ACME_AUTHORITY' | 'ERR_ACME_POLICY';

  constructor(code: AcmeError['code'], message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = 'AcmeError';
    this.code = code;
  }
}
