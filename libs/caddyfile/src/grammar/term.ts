/** Grammar terms. A term parses, writes, and describes a Caddyfile option. */
import type { Json, JsonObject } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import type { BlockContent, OptionDescription } from '../http/description.ts';
import { words } from '../inverse/values.ts';
import type { Line, Writer } from '../inverse/written.ts';
import { fieldAt, pathOf, type Draft, type Path } from './draft.ts';

/** Grammar of a line in a block, or of the words on the first line. */
export interface Term {
  /** Syntax of the words after the option name, in the notation of {@link OptionDescription.syntax}. */
  readonly shown: string;
  /** Path of the JSON option that the term sets. The help text of this option describes the term. Default: the option name. */
  readonly field?: string | undefined;
  /** Help text that replaces the help of the JSON option. */
  readonly help?: string | undefined;
  /** Namespace of the modules whose names are allowed as the first value. */
  readonly module?: string;
  readonly block?: Block;
  /** Directive whose documentation describes this option. */
  readonly of?: string;
  readonly content?: BlockContent;
  /** Parses the words after the option name. The cursor must be on the name. */
  read(reader: Dispenser, draft: Draft, option: string): void;
  /** Returns the lines for the fields that the term sets. Each line begins with `option`. */
  write(option: string, fields: JsonObject, writer: Writer): readonly Line[] | null | Promise<readonly Line[] | null>;
}

export type Block = Readonly<Record<string, Term>>;

/** Declares that a directive accepts the options of another directive. */
export function optionsOf(directive: string, options: Block): Block {
  return Object.fromEntries(Object.entries(options).map(([name, each]) => [name, { ...each, of: directive }]));
}

export interface TermOptions {
  /** See {@link Term.field}. */
  readonly field?: string;
  /** See {@link Term.shown}. */
  readonly shown?: string;
  /** See {@link Term.help}. */
  readonly help?: string;
  /** Error message if the field is already set. The option name replaces `%`. */
  readonly once?: string;
  /** Error message if the field is already set. The error position is the second word. */
  readonly repeated?: string | ((known: Json) => string);
  /** Error message if the field is already set. The error is thrown after the value has been parsed. */
  readonly again?: string;
  /** Deprecation warning for each use of the option. */
  readonly deprecated?: string;
  /** True if an empty value must also create the parent object. */
  readonly touches?: boolean;
  /** True to keep empty values. */
  readonly keep?: boolean;
  /** False if `convert` never writes this option, because another option sets the same field. */
  readonly writes?: boolean;
}

/** Converts words to a JSON value and back. */
export interface Value {
  readonly shown: string;
  /** Parses the value. `undefined` means that the option sets no value. `check` is called after the first word and before the conversion. */
  read(reader: Dispenser, option: string, check: () => void): Json | undefined;
  /** Returns the words for a value. Returns `null` if the option does not accept the value. */
  words?(value: Json): readonly string[] | null;
}

export function fieldOf({ field }: Pick<Term, 'field'>, option: string): Path {
  return field === undefined ? [option] : pathOf(field);
}

/** Declares a term with a value on a single line. */
export function term(
  value: Value,
  options: TermOptions & {
    /** True if each additional line adds its values to the list from the first line. */
    readonly adds?: boolean;
    /** True if `convert` writes each list element on a separate line. */
    readonly apart?: boolean;
  } = {},
): Term {
  const { field, shown = value.shown, help, once, repeated, again, deprecated, touches, keep, adds, apart } = options;
  const own = field === undefined ? null : pathOf(field);
  return {
    shown,
    field,
    help,
    read(reader, draft, option) {
      const path = own ?? [option];
      if (deprecated !== undefined) reader.modules.warn(reader.token, deprecated);
      const known = draft.get(path);
      const refuse = (message: string | ((known: Json) => string) | undefined): void => {
        if (message !== undefined && known !== undefined)
          throw reader.error(typeof message === 'string' ? message.replace('%', () => option) : message(known));
      };
      refuse(once);
      const read = value.read(reader, option, () => refuse(repeated));
      refuse(again);
      if (touches === true) draft.touch(path.slice(0, -1));
      if (read === undefined) return;
      if (adds === true) draft.push(path, read as readonly Json[]);
      else draft.put(path, read, keep);
    },
    write(option, fields) {
      const found = options.writes === false ? undefined : fieldAt(fields, own ?? [option]);
      if (found === undefined) return [];
      const line = (value.words ?? words)(found);
      if (apart === true) return (line ?? []).map((word) => ({ words: [option, word] }));
      return line === null ? [] : [{ words: [option, ...line] }];
    },
  };
}

/**
 * Declares a term that may occur only once per block. `message` is the error message for a second line. The option name replaces `%` in the
 * message.
 */
export function single(message: string, of: Term): Term {
  return {
    ...of,
    read(reader, draft, option) {
      if (draft.seen.has(option)) throw reader.error(message.replace('%', () => option));
      draft.seen.add(option);
      of.read(reader, draft, option);
    },
  };
}

/** Describes a line that the module parses and writes with custom functions. */
export function note(shown: string, help: string): Term {
  return { shown, field: '', help, read: () => undefined, write: () => [] };
}

/** Returns the descriptions of a block's options. Terms without help use the help of the JSON option. */
export function describeBlock(block: Block, helpOf: (path: Path) => string, base: Path = []): OptionDescription[] {
  return Object.entries(block).map(([name, each]) => {
    const path = [...base, ...fieldOf(each, name)];
    const description: OptionDescription = {
      syntax: each.shown === '' ? name : `${name} ${each.shown}`,
      summary: each.help ?? helpOf(path),
    };
    return {
      ...description,
      ...(each.of === undefined ? {} : { of: each.of }),
      ...(each.module === undefined ? {} : { module: each.module }),
      ...(each.block === undefined ? {} : { options: describeBlock(each.block, helpOf, path) }),
      ...(each.content === undefined ? {} : { block: each.content }),
    };
  });
}
