/** Values as words and lines, for inverses. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { Line, Written } from '../inverse/written.ts';

const units: readonly (readonly [string, number])[] = [
  ['h', 3_600_000_000_000],
  ['m', 60_000_000_000],
  ['s', 1_000_000_000],
  ['ms', 1_000_000],
  ['us', 1_000],
  ['ns', 1],
];

/** A duration of nanoseconds in the largest unit that divides it. */
export function durationText(nanoseconds: number): string {
  const [name, size] = units.find(([, each]) => nanoseconds % each === 0) ?? ['ns', 1];
  return nanoseconds === 0 ? '0' : `${nanoseconds / size}${name}`;
}

/** A scalar as a word; nothing for what is not one. */
export function words(value: Json | undefined): readonly string[] {
  if (isArray(value)) return value.flatMap(words);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

/** Lines for those fields that are there: the option, the field that it sets, and how its value is written. */
export function optionLines(fields: JsonObject, options: readonly WrittenOption[]): Line[] {
  return options.flatMap(([option, field, write = words]): Line[] => {
    const value = fields[field];
    return value === undefined ? [] : [{ words: [option, ...write(value)] }];
  });
}

/** An option, its field, and how its value is written if not as a scalar. */
export type WrittenOption = readonly [option: string, field: string, write?: (value: Json) => readonly string[]];

/** A duration as a word. */
export function durationWord(value: Json): readonly string[] {
  return typeof value === 'number' ? [durationText(value)] : words(value);
}

/** Nothing: an option that only stands there. */
export function noWords(): readonly string[] {
  return [];
}

/** A line for each value of each key: `KEY VALUE`. */
export function keyedLines(value: Json | undefined): Line[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, values]): Line[] =>
    words(values).map((word) => ({ words: [key, word] })),
  );
}

/** What follows a name: a block only where it has lines. */
export function written(inline: readonly string[], block: readonly Line[]): Written {
  return block.length === 0 ? { words: inline } : { words: inline, block };
}
