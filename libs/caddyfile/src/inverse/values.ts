/** Converts JSON values to words and lines, for the functions that write Caddyfiles. */
import { isArray, isObject, type Json } from '@sluice/base';
import type { Line, Writer, Written } from './written.ts';

const units: readonly (readonly [string, number])[] = [
  ['h', 3_600_000_000_000],
  ['m', 60_000_000_000],
  ['s', 1_000_000_000],
  ['ms', 1_000_000],
  ['us', 1_000],
  ['ns', 1],
];

/** Formats a duration in nanoseconds, using the largest unit that divides the duration evenly. */
function durationText(nanoseconds: number): string {
  const [name, size] = units.find(([, each]) => nanoseconds % each === 0) ?? ['ns', 1];
  return nanoseconds === 0 ? '0' : `${nanoseconds / size}${name}`;
}

/** Returns a scalar as a list of one word. Returns an empty list for other values. */
export function words(value: Json | undefined): readonly string[] {
  if (isArray(value)) return value.flatMap(words);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

export function durationWord(value: Json): readonly string[] {
  return typeof value === 'number' ? [durationText(value)] : words(value);
}

/** Returns a line `KEY VALUE` for each value of each key. */
export function keyedLines(value: Json | undefined): Line[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, values]): Line[] =>
    words(values).map((word) => ({ words: [key, word] })),
  );
}

/** Returns the syntax after a name. Includes a block only if the block has lines. */
export function written(inline: readonly string[], block: readonly Line[]): Written {
  return block.length === 0 ? { words: inline } : { words: inline, block };
}

/** An option that contains a module, in the form `OPTION NAME …`. */
export interface ModuleOption {
  readonly option: string;
  readonly namespace: string;
  /** Name of the field that contains the module name. */
  readonly key: string;
}

/**
 * Returns the lines for a module or a list of modules in an option. Omits modules that are not representable; the final comparison reports
 * them.
 */
export async function moduleLines(option: ModuleOption, value: Json | undefined, writer: Writer): Promise<Line[]> {
  if (isArray(value)) {
    const lines: Line[] = [];
    for (const each of value) lines.push(...(await moduleLines(option, each, writer)));
    return lines;
  }
  if (!isObject(value)) return [];
  const { [option.key]: name, ...options } = value;
  const lines = (await writer.module(`${option.namespace}.${words(name).join('')}`, options)) ?? [];
  return lines.map((line) => ({ ...line, words: [option.option, ...line.words] }));
}
