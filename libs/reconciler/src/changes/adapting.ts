/**
 * Adapting for clients. A few lines of text can ask for gigabytes and minutes, so a server does it in a thread of its own,
 * with bounds on memory and time; the results are plain data.
 */
import { isConfined, formatPointer, SluiceError, type ConfigPath, type Json } from '@sluice/base';
import type { AdapterWarning, ConfigSources, ConversionVerdict, SourcePlace } from '@sluice/contracts';
import { token, type Registry, type Token } from '@sluice/registry';
import { adaptConfig, convertConfig } from './adapt-config.ts';
import { DocumentSources } from './document-sources.ts';

/** A text to be adapted, or a document to be converted. */
export interface AdaptingTask {
  readonly kind: 'adapt' | 'convert';
  /** Name of the adapter. */
  readonly format: string;
  /** The text; a document as JSON. */
  readonly body: Uint8Array;
  /** Whether the text may read neither files nor environment variables. */
  readonly confined: boolean;
  /** Whether the client needs to know where each value was written. */
  readonly sources: boolean;
}

/** A text that was adapted. */
export interface AdaptedText {
  /** The document as JSON. */
  readonly json: string;
  readonly warnings: readonly AdapterWarning[];
  /** Where values were written, by JSON pointer; a value without an entry stands where the one around it does. */
  readonly places: ReadonlyMap<string, SourcePlace> | null;
}

/** A document that was converted. */
export interface ConvertedText {
  readonly text: string;
  readonly verdict: ConversionVerdict;
  /** How many places of the document are not made again as they are. */
  readonly differences: number;
}

/** Results by kind of task; a conversion is `null` if the adapter has no way back. */
export type AdaptingResult = AdaptedText | ConvertedText | null;

/** Runs tasks within bounds. Rejects with ERR_ADAPTER of status 413 if one needs more, and with the reason of `signal`. */
export interface AdaptingThread {
  run(task: AdaptingTask, signal: AbortSignal): Promise<AdaptingResult>;
}

/** The service of the control thread; without it tasks run in the thread that asks, as in tests and programs that embed a server. */
export const adaptingThread: Token<AdaptingThread> = token<AdaptingThread>('adapting_thread');

/** Most characters of JSON that a text may become. */
const maxResult = 64 * 1024 * 1024;

/** Runs a task in this thread. */
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

/** Anchors of YAML and the like can make a text of many times their size. */
function jsonOf(config: Json, format: string): string {
  let json = '';
  try {
    json = JSON.stringify(config);
  } catch {
    // Longer than the longest text there can be.
  }
  if (json !== '' && json.length <= maxResult) return json;
  const message = `adapting the configuration with ${format}: it becomes more than ${maxResult} characters of JSON`;
  throw new SluiceError('ERR_ADAPTER', message, { status: 413 });
}

/** The places of all values that stand elsewhere than what is around them. */
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

/** The sources of a document that another thread has adapted; `text` is what it was made of. */
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

/** What tasks run with. */
interface Adapter {
  readonly registry: Registry;
  service<T>(token: Token<T>): T | undefined;
}

/** Adapts a text for a client, confined as this task is. */
export async function adaptText(
  adapter: Adapter,
  task: Pick<AdaptingTask, 'format' | 'body' | 'sources'>,
  signal: AbortSignal,
): Promise<AdaptedText> {
  return (await run(adapter, { ...task, kind: 'adapt', confined: isConfined() }, signal)) as AdaptedText;
}

/** Converts a document for a client; `null` if the adapter has no way back. What it writes is read again without imports. */
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
