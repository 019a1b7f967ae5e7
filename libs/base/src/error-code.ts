/** Documentation of an error code. `docs/errors.md` lists all error codes. */
export interface ErrorCode {
  /** Description of the failure, in one sentence. */
  readonly meaning: string;
  /** Advice for fixing the failure. */
  readonly advice: string;
}

/**
 * Error codes of a package, defined in its `src/error-codes.ts`. Each code is listed in one package, even if other packages also throw it.
 *
 * `tools/workspace/errors.mjs` compares these lists with the code. `npm run docs` generates the table in the documentation.
 */
export type ErrorCodes = Readonly<Record<`ERR_${string}`, ErrorCode>>;
