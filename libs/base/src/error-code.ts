/** What there is to know of an error code; `docs/errors.md` lists them all. */
export interface ErrorCode {
  /** What has happened, in one sentence. */
  readonly meaning: string;
  /** What to do about it. */
  readonly advice: string;
}

/**
 * The codes of a package, in its `src/error-codes.ts`: each code stands in the package that it belongs to, whoever else
 * raises it. `tools/workspace/errors.mjs` compares the catalogues with the code, and `npm run docs` writes the table.
 */
export type ErrorCodes = Readonly<Record<`ERR_${string}`, ErrorCode>>;
