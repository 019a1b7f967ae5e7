/** Grammar terms for options on a single line. */
import type { Json } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import { readDuration, readInteger, readSize } from '../http/values.ts';
import { durationWord } from '../inverse/values.ts';
import { weakField } from '../scalars.ts';
import { fieldOf, term, type Term, type TermOptions } from './term.ts';

export interface WordOptions extends TermOptions {
  /**
   * Number of words. `only`: exactly one word. `more`: one word; additional words are ignored, as in Caddy. `optional`: at most one word.
   * `any`: any number of words, but only the first is used. `last`: one word without a block. Default: `only`.
   */
  readonly takes?: 'only' | 'more' | 'optional' | 'any' | 'last';
  /** Values of special words. For example, `unlimited` represents -1. */
  readonly named?: Readonly<Record<string, Json>>;
}

/** Moves the cursor to the value of an option. Returns false if an optional word is missing. */
function findWord(reader: Dispenser, takes: WordOptions['takes']): boolean {
  switch (takes) {
    case 'more':
      reader.argument();
      return true;
    case 'optional':
    case 'any':
      return reader.nextArgument();
    case 'last':
      reader.lastArgument();
      return true;
    default:
      reader.onlyArgument();
      return true;
  }
}

type Convert = (reader: Dispenser, text: string, option: string) => Json | undefined;

/** Declares a term for one word with a custom conversion. */
export function word(
  shown: string,
  options: WordOptions & {
    readonly convert?: Convert;
    readonly words?: (value: Json) => readonly string[] | null;
  } = {},
): Term {
  const { takes, named = {}, convert, words } = options;
  const names = Object.entries(named);
  const nameOf = (value: Json): readonly string[] | undefined =>
    names.find(([, each]) => each === value)?.slice(0, 1) as readonly string[] | undefined;
  return term(
    {
      shown: names.length === 0 ? shown : [shown, ...Object.keys(named)].join('|'),
      read(reader, option, check) {
        if (!findWord(reader, takes)) return undefined;
        check();
        const { value } = reader;
        const read = Object.hasOwn(named, value)
          ? named[value]
          : convert === undefined
            ? value
            : convert(reader, value, option);
        if (takes === 'optional') reader.noArguments();
        return read;
      },
      ...(names.length === 0
        ? words === undefined
          ? {}
          : { words }
        : { words: (value) => nameOf(value) ?? words?.(value) ?? [String(value)] }),
    },
    options,
  );
}

export function text(shown = '<text>', options: WordOptions = {}): Term {
  return word(shown, options);
}

/** Options of terms whose error messages contain a name for the value. */
export interface NamedOptions extends WordOptions {
  /** Name of the value in error messages. Default: the option name. */
  readonly what?: string;
}

export function duration(options: NamedOptions = {}): Term {
  const convert: Convert = (reader, value, option) => readDuration(reader, value, options.what ?? option);
  return word('<duration>', { ...options, convert, words: durationWord });
}

/** Declares a size such as `10MB`. The JSON value is in bytes. */
export function size(options: NamedOptions = {}): Term {
  return word('<size>', {
    ...options,
    convert: (reader, value, option) => readSize(reader, value, options.what ?? option),
  });
}

export function integer(shown = '<number>', options: NamedOptions = {}): Term {
  return word(shown, {
    ...options,
    convert: (reader, value, option) => readInteger(reader, value, options.what ?? option),
  });
}

/** Declares a number or a placeholder, such as a status code. */
export function weak(shown: string, options: WordOptions = {}): Term {
  const of = text(shown, options);
  return {
    ...of,
    read(reader, draft, option) {
      of.read(reader, draft, option);
      const found = draft.get(fieldOf(of, option));
      if (typeof found === 'string') draft.put(fieldOf(of, option), weakField('', found)[''] ?? found, true);
    },
  };
}

export function oneOf(
  choices: readonly string[],
  options: WordOptions & {
    /** Error message for any other word. Default: the error for a wrong number of arguments. */
    readonly otherwise?: (value: string) => string;
  } = {},
): Term {
  const convert: Convert = (reader, value) => {
    if (choices.includes(value)) return value;
    throw options.otherwise === undefined ? reader.argumentError() : reader.error(options.otherwise(value));
  };
  return word(choices.join('|'), { ...options, convert });
}

/** Declares an option without a value that sets its field to `value`. */
export function flag(
  options: TermOptions & {
    readonly value?: Json;
    /** Handling of additional words. `lax` ignores them, as Caddy does for some directives. `last` rejects additional words and a block. */
    readonly takes?: 'lax' | 'last';
  } = {},
): Term {
  const { value = true, takes } = options;
  return term(
    {
      shown: '',
      read(reader) {
        if (takes === 'last') reader.nothingMore();
        else if (takes === undefined) reader.noArguments();
        return value;
      },
      words: (found) => (found === value ? [] : null),
    },
    { keep: true, ...options },
  );
}

/** Declares a boolean option. A missing value means `true`. */
export function toggle(options: TermOptions = {}): Term {
  return term(
    {
      shown: '[true|false]',
      read(reader, option) {
        const value = reader.optionalArgument() ?? 'true';
        if (value !== 'true' && value !== 'false')
          throw reader.error(`${option} must be true or false, not '${value}'`);
        return value === 'true';
      },
    },
    { keep: true, ...options },
  );
}

export interface ListOptions extends TermOptions {
  /** True to accept a line without words. `null` also accepts such a line, and sets its value to `null`. */
  readonly empty?: boolean | null;
  /** Error message for a line without arguments. Default: the error for a wrong number of arguments. */
  readonly missing?: string;
  /** True if each additional line adds its values to the list from the first line. */
  readonly adds?: boolean;
  /** True if `convert` writes each element on a separate line. */
  readonly apart?: boolean;
  readonly each?: (reader: Dispenser, word: string, option: string) => Json;
  /** Converts all words together instead of one at a time. */
  readonly all?: (reader: Dispenser, words: readonly string[], option: string) => readonly Json[];
}

export function list(shown: string, options: ListOptions = {}): Term {
  const { empty = false, missing, each, all } = options;
  return term(
    {
      shown,
      read(reader, option) {
        const words = reader.remaining();
        if (words.length === 0 && empty === null) return null;
        if (words.length === 0 && !empty) throw missing === undefined ? reader.argumentError() : reader.error(missing);
        if (all !== undefined) return all(reader, words, option);
        return each === undefined ? words : words.map((one) => each(reader, one, option));
      },
    },
    options,
  );
}

/** Declares a flag. As in Caddy, additional words are ignored. They cause a warning. */
export const present: Term = {
  shown: '',
  read(reader, draft, option) {
    if (reader.next()) reader.modules.warn(reader.token, `${option}: arguments after '${reader.value}' have no effect`);
    draft.put([option], true);
  },
  write: (option, fields) => (fields[option] === true ? [{ words: [option] }] : []),
};

/** Declares a term that accepts no words. */
export const none: Term = {
  shown: '',
  field: '',
  read: (reader) => reader.noArguments(),
  write: () => [],
};

/** Declares words that are ignored, as in Caddy. */
export const ignored: Term = { ...none, read: (reader) => void reader.remaining() };
