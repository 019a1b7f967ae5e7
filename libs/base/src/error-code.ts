/** Documentation of an error code. `docs/errors.md` lists all error codes. */
export interface ErrorCode {
  /** Description of the failure, in one sentence. */
  readonly meaning: string;
  /** Advice for fixing the failure. */
  readonly advice: string;
}

/**
 * Error codes of a package, defined in its `src/error-codes.ts`. A code is listed in the package that it belongs to, even if other packages
 * throw it.
 *
 * `tools/workspace/errors.mjs` compares these lists with the code. `npm run docs` generates the table in the documentation.
 */
export type ErrorCodes = Readonly<Record<`ERR_${string}`, ErrorCode>>;
