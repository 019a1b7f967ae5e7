/**
 * Adapts configurations for admin clients. A short text can require gigabytes of memory and minutes of CPU time. A server therefore uses a
 * separate thread with resource limits. Results are plain data.
 */
import { isConfined, formatPointer, SluiceError, type ConfigPath, type Json } from '@sluice/base';
import type { AdapterWarning, ConfigSources, ConversionVerdict, SourcePlace } from '@sluice/contracts';
import { token, type Registry, type Token } from '@sluice/registry';
import { adaptConfig, convertConfig } from './adapt-config.ts';
import { DocumentSources } from './document-sources.ts';

/** A text to adapt, or a document to convert. */
export interface AdaptingTask {
  readonly kind: 'adapt' | 'convert';
  readonly format: string;
  /** Text to adapt, or document to convert as JSON. */
  readonly body: Uint8Array;
  readonly confined: boolean;
  /** True if the client needs source locations. */
  readonly sources: boolean;
}

export interface AdaptedText {
  /** Adapted document as JSON. */
  readonly json: string;
  readonly warnings: readonly AdapterWarning[];
  /** Source locations by JSON Pointer. A value without an entry has the same location as its parent. */
  readonly places: ReadonlyMap<string, SourcePlace> | null;
}

export interface ConvertedText {
  readonly text: string;
  readonly verdict: ConversionVerdict;
  /** Number of values in the document that change in a round trip through the format. */
  readonly differences: number;
}

/** Result of a task. `null` means that the adapter doesn't support conversion. */
export type AdaptingResult = AdaptedText | ConvertedText | null;

/**
 * Runs adapting tasks within limits. If a task exceeds them, rejects with `ERR_ADAPTER` (status 413). If `signal` aborts, rejects with its
 * abort reason.
 */
export interface AdaptingThread {
  run(task: AdaptingTask, signal: AbortSignal): Promise<AdaptingResult>;
}

/** Service of the control thread that runs adapting tasks. If absent, as in tests and embedded servers, tasks run in the calling thread. */
export const adaptingThread: Token<AdaptingThread> = token<AdaptingThread>('adapting_thread');

/** Maximum length of the resulting JSON, in characters. */
const maxResult = 64 * 1024 * 1024;

/** Runs a task in the current thread. */
export async function runAdapting(registry: Registry, task: AdaptingTask): Promise<AdaptingResult> {
  const { kind, format, body, sources } = task;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (kind === 'convert') {
    const converted = await convertConfig(registry, format, JSON.parse(text.toString()) as Json);
    if (converted === null) return null;
    return { text: converted.text, verdict: converted.verdict, differences: converted.differences.length };
  }
  const adapted = await adaptConfig(registry, format, text);
  const json = jsonOf(adapted.config, format);
  const places = sources && adapted.sources !== undefined ? placesOf(adapted.config, adapted.sources) : null;
  return { json, warnings: adapted.warnings, places };
}

/** Converts the configuration to JSON of limited length. YAML anchors and similar features can expand a text to many times its size. */
function jsonOf(config: Json, format: string): string {
  let json = '';
  try {
    json = JSON.stringify(config);
  } catch {}
  if (json !== '' && json.length <= maxResult) return json;
  const message = `adapting the configuration with ${format}: the result exceeds ${maxResult} characters of JSON`;
  throw new SluiceError('ERR_ADAPTER', message, { status: 413 });
}

/** Returns the locations of all values whose location differs from that of their parent. */
function placesOf(config: Json, sources: ConfigSources): Map<string, SourcePlace> {
  const places = new Map<string, SourcePlace>();
  const walk = (value: Json, path: ConfigPath, around: SourcePlace | null): void => {
    const place = sources.placeOf(path);
    if (place !== null && !isSame(place, around)) places.set(formatPointer(path), place);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries<Json>(value)) walk(child, [...path, key], place);
  };
  walk(config, [], null);
  return places;
}

function isSame(a: SourcePlace, b: SourcePlace | null): boolean {
  return (
    b !== null &&
    a.file === b.file &&
    a.line === b.line &&
    a.column === b.column &&
    a.imported?.file === b.imported?.file &&
    a.imported?.line === b.imported?.line
  );
}

/** Returns the source locations of a document that another thread adapted from `text`. */
export function sourcesOfText(document: Json, { places }: AdaptedText, text: string): DocumentSources | null {
  return places === null ? null : new DocumentSources(document, new KeptPlaces(places), { file: null, text });
}

class KeptPlaces implements ConfigSources {
  readonly #places: ReadonlyMap<string, SourcePlace>;

  constructor(places: ReadonlyMap<string, SourcePlace>) {
    this.#places = places;
  }

  placeOf(path: ConfigPath): SourcePlace | null {
    for (let length = path.length; length >= 0; length--) {
      const place = this.#places.get(formatPointer(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return null;
  }
}

interface Adapter {
  readonly registry: Registry;
  service<T>(token: Token<T>): T | undefined;
}

/** Adapts text for an admin client, with the file access restrictions of the current task. */
export async function adaptText(
  adapter: Adapter,
  task: Pick<AdaptingTask, 'format' | 'body' | 'sources'>,
  signal: AbortSignal,
): Promise<AdaptedText> {
  return (await run(adapter, { ...task, kind: 'adapt', confined: isConfined() }, signal)) as AdaptedText;
}

/**
 * Converts a document for an admin client. Returns `null` if the adapter doesn't support conversion. Parses the result again, without
 * imports.
 */
export async function convertText(
  adapter: Adapter,
  task: Pick<AdaptingTask, 'format' | 'body'>,
  signal: AbortSignal,
): Promise<ConvertedText | null> {
  const converted = await run(adapter, { ...task, kind: 'convert', confined: true, sources: false }, signal);
  return converted as ConvertedText | null;
}

function run(adapter: Adapter, task: AdaptingTask, signal: AbortSignal): Promise<AdaptingResult> {
  const thread = adapter.service(adaptingThread);
  return thread === undefined ? runAdapting(adapter.registry, task) : thread.run(task, signal);
}
