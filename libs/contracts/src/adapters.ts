/** Configuration adapters: modules that convert other formats to native JSON. */
import type { Json } from '@sluice/base';
import type { ConfigSources } from './sources.ts';
import { namespace, type Namespace } from '@sluice/registry';

/** A problem that did not prevent the conversion. */
export interface AdapterWarning {
  /** File name; empty if the configuration did not come from a file. */
  readonly file: string;
  /** Line, starting at 1; 0 if the warning applies to the whole file. */
  readonly line: number;
  readonly message: string;
}

export interface AdapterOptions {
  /** Name of the source file, for warnings. */
  readonly file?: string;
  /** Called before each additional path or glob pattern is read, so that callers can watch the files. */
  readonly reads?: (pattern: string) => void;
}

export interface AdaptedConfig {
  readonly config: Json;
  readonly warnings: readonly AdapterWarning[];
  /** Source locations of the values, if the adapter records them. */
  readonly sources?: ConfigSources;
  /** Explains the evaluation order of the configuration. For formats with an implicit order. */
  readonly explain?: () => string;
}

/**
 * Result of adapting the converted text again. `identical` means the same document. `same` means an equivalent document.
 * `different` means the format cannot represent a part of the document.
 */
export type ConversionVerdict = 'identical' | 'same' | 'different';

/** A part of a document that changes in a round trip. */
export interface ConversionDifference {
  /** JSON path; empty for the whole document. */
  readonly path: string;
  /** Value in the original document, and value after the round trip. `undefined` means absent. */
  readonly wanted: Json | undefined;
  readonly made: Json | undefined;
}

/** A document in the format of an adapter. */
export interface ConvertedConfig {
  /** The converted text. Comments list inexpressible configuration. */
  readonly text: string;
  /** Required file name, if parts of the document refer to that file. */
  readonly file: string;
  readonly verdict: ConversionVerdict;
  /** Empty only if the round trip is identical. */
  readonly differences: readonly ConversionDifference[];
}

/** Converts a configuration to native JSON. Throws an error with the location if the conversion fails. */
export interface ConfigAdapter {
  adapt(body: Buffer | string, options: AdapterOptions): AdaptedConfig | Promise<AdaptedConfig>;
  /** Converts native JSON back to the format, if supported. Reports lossy conversions. */
  convert?(document: Json): Promise<ConvertedConfig>;
}

/**
 * Namespace of adapters. `Content-Type: text/<name>` or `application/<name>` in the admin API, and `--adapter` on the command line, select
 * an adapter.
 *
 * Each text uses an adapter with empty options, which is released afterwards.
 */
export const configAdapters: Namespace<ConfigAdapter> = namespace<ConfigAdapter>('caddy.adapters');
