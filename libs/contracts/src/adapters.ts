/** Configuration adapters: modules that turn other formats into the native JSON. */
import type { Json } from '@sluice/base';
import type { ConfigSources } from './sources.ts';
import { namespace, type Namespace } from '@sluice/registry';

/** Something an adapter wants to be known, although it could do its work. */
export interface AdapterWarning {
  /** Name of the file, empty where the configuration did not come from one. */
  readonly file: string;
  /** Counted from 1; 0 where the warning is about the whole. */
  readonly line: number;
  readonly message: string;
}

/** What an adapter is told beside the text. */
export interface AdapterOptions {
  /** Name of the file that the text came from, for warnings. */
  readonly file?: string;
  /** To be told of each path, or pattern of paths, that is read beside the text, before that is done: for those who watch them. */
  readonly reads?: (pattern: string) => void;
}

/** What an adapter makes of a text. */
export interface AdaptedConfig {
  readonly config: Json;
  readonly warnings: readonly AdapterWarning[];
  /** Where its values were written, if the adapter knows. */
  readonly sources?: ConfigSources;
  /** Says in which order what was written runs, and why: for formats that have an order of their own. */
  readonly explain?: () => string;
}

/**
 * How what is made of a document compares with it when it is adapted again. `identical`: it gives the very document. `same`:
 * another that does the same. `different`: some of it is not said.
 */
export type ConversionVerdict = 'identical' | 'same' | 'different';

/** A place of a document that is not made again as it is. */
export interface ConversionDifference {
  /** Its JSON path; empty for the whole document. */
  readonly path: string;
  /** What the document has there, and what is made instead; `undefined` where there is nothing. */
  readonly wanted: Json | undefined;
  readonly made: Json | undefined;
}

/** A document in the format of an adapter. */
export interface ConvertedConfig {
  /** What the format can't say stands in its comments. */
  readonly text: string;
  /** The name that a file of it has to have, where parts of the document are about that file. */
  readonly file: string;
  readonly verdict: ConversionVerdict;
  /** Empty only if it is identical. */
  readonly differences: readonly ConversionDifference[];
}

/** Turns a configuration in its format into native JSON. What it can't read it refuses with an error that says where. */
export interface ConfigAdapter {
  adapt(body: Buffer | string, options: AdapterOptions): AdaptedConfig | Promise<AdaptedConfig>;
  /** The way back, if there is one. It says itself what got lost on it. */
  convert?(document: Json): Promise<ConvertedConfig>;
}

/**
 * The namespace of adapters. `Content-Type: text/<name>` or `application/<name>` of the admin API and `--adapter` of
 * the command line choose one. An adapter is provisioned with empty options for each text, and released afterwards.
 */
export const configAdapters: Namespace<ConfigAdapter> = namespace<ConfigAdapter>('caddy.adapters');
