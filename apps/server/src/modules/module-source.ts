/** A third-party module package that every thread loads. It is plain data that can be sent to workers. */
export interface ModuleSource {
  /** npm package name. */
  readonly package: string;
  readonly version: string;
  /** Absolute path of the file that exports `register`. */
  readonly entry: string;
  /** Supported versions of `@sluice/module`, or `null` if unspecified. */
  readonly api: string | null;
  readonly ids: readonly string[];
}
