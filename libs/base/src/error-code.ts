/** Documentation of an error code; `docs/errors.md` lists all of them. */
export interface ErrorCode {
  /** One-sentence description of the failure. */
  readonly meaning: string;
  /** Instructions for fixing the failure. */
  readonly advice: string;
}

/**
 * Error codes of a package, in `src/error-codes.ts`. A code is listed in the package that it belongs to, even if other packages raise it.
 *
 * `tools/workspace/errors.mjs` compares these lists with the code, and `npm run docs` generates the table.
 */
export type ErrorCodes = Readonly<Record<`ERR_${string}`, ErrorCode>>;
