/** Reads configuration files, in native JSON or in a format that an adapter supports. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { adaptConfig, sourcesOf, type DocumentSources } from '@sluice/reconciler';
import { checkIntended, messageOf, parseJsonText, type Json } from '@sluice/base';
import { configAdapters, type AdapterWarning } from '@sluice/contracts';
import type { Registry } from '@sluice/registry';
import { CommandError } from '../failure.ts';

export interface ConfigSource {
  /** Path of the configuration file, or `-` for standard input. */
  readonly file: string;
  /** Name of the adapter. By default, the file extension determines the adapter. If none matches, the file is native JSON. */
  readonly adapter?: string | undefined;
  /** Called before each file path or glob pattern is read. */
  readonly reads?: (pattern: string) => void;
}

export interface ReadConfig {
  readonly document: Json;
  readonly warnings: readonly AdapterWarning[];
  /** Source locations of the values, if an adapter created the document and provides locations. */
  readonly sources: DocumentSources | null;
  /** Original content of the file. */
  readonly text: string;
  readonly json: string | null;
  /** Explains the evaluation order of directives, if the adapter sorts them. */
  readonly explain?: (() => string) | undefined;
}

/** Adapter names, keyed by file extension. Contains only extensions that differ from the adapter's name. */
const aliases: Readonly<Record<string, string>> = { yml: 'yaml' };

/** Reads a configuration. Throws an error for an accidentally empty file. Calls `registry` only if an adapter may be needed. */
export async function readConfig(source: ConfigSource, registry: () => Promise<Registry>): Promise<ReadConfig> {
  const { file, adapter } = source;
  source.reads?.(file);
  const text = readText(file);
  if (adapter !== undefined) return adapt(await registry(), adapter, text, source);
  if (isCaddyfile(file)) return adapt(await registry(), 'caddyfile', text, source);
  const extension = extname(file).slice(1).toLowerCase();
  if (extension !== '' && extension !== 'json') {
    const known = await registry();
    const name = aliases[extension] ?? extension;
    if (known.find(configAdapters, name) !== undefined) return adapt(known, name, text, source);
  }
  if (text.trim() === '') checkIntended(text, null, shown(file));
  try {
    return { document: parseJsonText(text).value, warnings: [], sources: null, text, json: text };
  } catch (error) {
    const what = error instanceof SyntaxError ? ' is not JSON' : '';
    throw new CommandError(`${shown(file)}${what}: ${messageOf(error)}`, error);
  }
}

/** Reports whether a file name indicates a Caddyfile: `Caddyfile`, `Caddyfile.site` and `site.caddyfile`, but not `Caddyfile.json`. */
function isCaddyfile(file: string): boolean {
  const name = basename(file);
  const extension = extname(name).slice(1).toLowerCase();
  if (extension === 'caddyfile') return true;
  return name.startsWith('Caddyfile') && !['json', 'json5', 'yaml', 'yml', 'toml'].includes(extension);
}

/**
 * Reads a configuration to be applied, like {@link readConfig}. Also rejects a file that lost its content, because applying it would unload
 * the active configuration.
 */
export async function readIntended(source: ConfigSource, registry: () => Promise<Registry>): Promise<ReadConfig> {
  const read = await readConfig(source, registry);
  checkIntended(read.text, read.document, shown(source.file));
  return read;
}

export function formatWarning({ file, line, message }: AdapterWarning): string {
  return `${file}${line > 0 ? `:${line}` : ''}: ${message}`;
}

async function adapt(registry: Registry, name: string, text: string, source: ConfigSource): Promise<ReadConfig> {
  const { file, reads = () => {} } = source;
  const options = file === '-' ? { reads } : { file, reads };
  const adapted = await adaptConfig(registry, name, text, { options });
  const { config, warnings, explain } = adapted;
  return {
    document: config,
    warnings,
    sources: sourcesOf(adapted, { file: file === '-' ? null : file, text }),
    text,
    json: null,
    explain,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(`reading the configuration: ${messageOf(error)}`, error);
  }
}

function shown(file: string): string {
  return file === '-' ? 'standard input' : file;
}
