/** Configuration adapters: modules that convert other formats to native JSON. */
import type { Json } from '@sluice/base';
import type { ConfigSources } from './sources.ts';
import { namespace, type Namespace } from '@sluice/registry';

/** A problem that the adapter found but that did not prevent the conversion. */
export interface AdapterWarning {
  /** File name. Empty if the configuration did not come from a file. */
  readonly file: string;
  /** Line number, starting at 1. 0 if the warning applies to the entire file. */
  readonly line: number;
  readonly message: string;
}

export interface AdapterOptions {
  /** Name of the source file, for warnings. */
  readonly file?: string;
  /** Callback invoked before the adapter reads an additional path or glob pattern. Callers can use the callback to watch the files. */
  readonly reads?: (pattern: string) => void;
}

export interface AdaptedConfig {
  readonly config: Json;
  readonly warnings: readonly AdapterWarning[];
  /** Source locations of the values, if the adapter records locations. */
  readonly sources?: ConfigSources;
  /** Explains the order in which the configuration is evaluated, for formats with an implicit order. */
  readonly explain?: () => string;
}

/**
 * Result of a round trip, in which the converted text is adapted back to JSON. `identical` means that the documents are identical. `same`
 * means that they are equivalent. `different` means that the format cannot represent part of the document.
 */
export type ConversionVerdict = 'identical' | 'same' | 'different';

/** A part of a document that a round trip changes. */
export interface ConversionDifference {
  /** JSON path of the difference. Empty for the entire document. */
  readonly path: string;
  /**
   * Value in the original document. `made` is the value after the round trip. `undefined` means that the document has no value at this
   * path.
   */
  readonly wanted: Json | undefined;
  readonly made: Json | undefined;
}

/** A document converted to the format of an adapter. */
export interface ConvertedConfig {
  /** Converted text. Comments list the configuration that the format cannot represent. */
  readonly text: string;
  /** File name to use for saving the text, if parts of the document refer to that file. */
  readonly file: string;
  readonly verdict: ConversionVerdict;
  /** Differences after a round trip. Empty only if the result is identical. */
  readonly differences: readonly ConversionDifference[];
}

/** Converts a configuration to native JSON. If the conversion fails, throws an error that contains the location. */
export interface ConfigAdapter {
  adapt(body: Buffer | string, options: AdapterOptions): AdaptedConfig | Promise<AdaptedConfig>;
  /** Converts native JSON back to the adapter's format, if the adapter supports this conversion. Reports lossy conversions. */
  convert?(document: Json): Promise<ConvertedConfig>;
}

/**
 * Module namespace of configuration adapters. In the admin API, `Content-Type: text/<name>` or `application/<name>` selects an adapter. On
 * the command line, `--adapter` selects an adapter.
 *
 * Each conversion creates an adapter with empty options, and releases it afterwards.
 */
export const configAdapters: Namespace<ConfigAdapter> = namespace<ConfigAdapter>('caddy.adapters');
