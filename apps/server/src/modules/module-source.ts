/** A third-party package of modules as every thread needs it to load it. */

/** Plain data, so that it can be given to workers. */
export interface ModuleSource {
  /** npm package name. */
  readonly package: string;
  readonly version: string;
  /** Absolute path of the file that exports `register`. */
  readonly entry: string;
  /** The versions of `@sluice/module` that it is made for; `null` if it does not say. */
  readonly api: string | null;
  /** Ids of the modules that it says it has. */
  readonly ids: readonly string[];
}
