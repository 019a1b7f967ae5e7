/** Grammar declarations for syntax that consists of several words, modules, or blocks. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import { readInteger } from '../http/values.ts';
import { keyedLines, moduleLines, words as wordsIn } from '../inverse/values.ts';
import type { Line, Writer } from '../inverse/written.ts';
import { asJson, dictionary, moduleObject } from '../json.ts';
import { readMatchers } from '../http/matcher-definitions.ts';
import { Draft, fieldAt, pathOf } from './draft.ts';
import { none } from './values.ts';
import { fieldOf, type Block, type Term, type TermOptions } from './term.ts';

/** Declares words that each set one field, in the given order. A field whose name ends with `…` takes all remaining words. */
export function fields(
  shown: string,
  names: readonly string[],
  options: {
    readonly least?: number;
    /** Error message for too many words. Default: the error for a wrong number of arguments. */
    readonly tooMany?: string;
    /** Ignores surplus words. */
    readonly lax?: boolean;
    readonly writes?: boolean;
    readonly keep?: boolean;
    readonly help?: string;
    /** Names of the fields whose values must be integers, for error messages. */
    readonly integers?: readonly string[];
  } = {},
): Term {
  const { least = 0, tooMany, lax = false, writes = true, keep = false, integers, help } = options;
  const rest = names.at(-1)?.endsWith('…') === true;
  const paths = names.map((name) => pathOf(name.replace('…', '')));
  return {
    shown,
    field: '',
    help,
    read(reader, draft) {
      const found = reader.remaining();
      if (found.length < least) throw reader.argumentError();
      if (found.length > names.length && !rest && !lax)
        throw tooMany === undefined ? reader.argumentError() : reader.error(tooMany);
      paths.forEach((path, at) => {
        const value = found[at];
        if (rest && at === paths.length - 1) draft.put(path, found.slice(at), keep);
        else if (value !== undefined)
          draft.put(path, integers === undefined ? value : readInteger(reader, value, integers[at] ?? ''), keep);
      });
    },
    write(option, object) {
      const found = writes ? paths.flatMap((path) => wordsIn(fieldAt(object, path))) : [];
      return found.length === 0 ? [] : [{ words: [option, ...found] }];
    },
  };
}

/** Declares a module in the form `OPTION NAME …`. In JSON, `key` contains the module name. */
export function module(
  namespace: string,
  key: string,
  options: Omit<TermOptions, 'repeated'> & {
    /** True if several lines add elements to the same list. */
    readonly adds?: boolean;
    /** Error message for a field that is already set. The error position is the module name. */
    readonly repeated?: string;
  } = {},
): Term {
  const { field, shown = '<module> …', help, repeated, adds = false } = options;
  return {
    shown,
    field,
    help,
    module: namespace,
    read(reader, draft, option) {
      const path = fieldOf(options, option);
      const name = reader.argument();
      if (repeated !== undefined && draft.get(path) !== undefined) throw reader.error(repeated);
      const value = readModule(reader, namespace, key, name);
      if (adds) draft.push(path, [value]);
      else draft.put(path, value);
    },
    write: (option, object, writer) =>
      moduleLines({ option, namespace, key }, fieldAt(object, fieldOf(options, option)), writer),
  };
}

export function readModule(reader: Dispenser, namespace: string, key: string, name: string): JsonObject {
  return moduleObject(key, name, reader.module(`${namespace}.${name}`));
}

/** Declares a list of modules. Each line of the block begins with a module name. */
export function modules(namespace: string, key: string, field: string, options: { readonly help?: string } = {}): Term {
  const place: Term = module(namespace, key, { field, adds: true, ...options });
  return {
    ...place,
    shown: '…',
    read: (reader, draft, name) => draft.push(pathOf(field), [readModule(reader, namespace, key, name)]),
    async write(_option, object, writer) {
      const lines = (await place.write('', object, writer)) ?? [];
      return lines.map((line) => ({ ...line, words: line.words.slice(1) }));
    },
  };
}

/** Declares an option in the form `OPTION NAME VALUE`. Each line sets one key of a dictionary. */
export function pair(shown: string, options: TermOptions = {}): Term {
  const { field, help } = options;
  return {
    shown,
    field,
    help,
    read(reader, draft, option) {
      const path = fieldOf(options, option);
      const known = draft.get(path) ?? dictionary();
      const name = reader.argument();
      (known as Record<string, Json>)[name] = reader.onlyArgument();
      draft.put(path, known);
    },
    write: (option, object) =>
      keyedLines(fieldAt(object, fieldOf(options, option))).map((line) => ({ words: [option, ...line.words] })),
  };
}

/** Declares a block in which each line sets one dictionary key. The keys can have any names. */
export function entries(
  shown: string,
  options: TermOptions & {
    readonly value: (reader: Dispenser, known: Json | undefined, name: string) => Json;
    readonly lines?: (value: Json) => readonly Line[];
    /** True if an empty block must leave the field unchanged. */
    readonly adds?: boolean;
  },
): Term {
  const { field, help, value, lines = keyedLines, adds = false, touches = false } = options;
  return {
    shown,
    field,
    help,
    read(reader, draft, option) {
      const found = dictionary();
      for (const name of reader.block()) found[name] = value(reader, found[name], name);
      if (touches) draft.touch(fieldOf(options, option).slice(0, -1));
      if (!adds || Object.keys(found).length > 0) draft.put(fieldOf(options, option), found);
    },
    write(option, object) {
      const found = fieldAt(object, fieldOf(options, option));
      return isObject(found) ? [{ words: [option], block: lines(found) }] : [];
    },
  };
}

/** Grammar of a block: its options, and a term for all other lines. */
export interface BlockGrammar {
  readonly block?: Block;
  /** Error message for an unknown option. The option name replaces `%`. `null` selects the error for a wrong number of arguments. */
  readonly unknown?: string | ((option: string) => string) | null | undefined;
  /** Term for lines that begin with other words, such as module names. */
  readonly others?: Term;
}

export function readBlock(reader: Dispenser, draft: Draft, { block = {}, unknown, others }: BlockGrammar): boolean {
  let hasLines = false;
  for (const option of reader.block()) {
    hasLines = true;
    const found = Object.hasOwn(block, option) ? block[option] : others;
    if (found === undefined) {
      if (unknown === null) throw reader.argumentError();
      const message = unknown ?? "unrecognized subdirective '%'";
      throw reader.error(typeof message === 'string' ? message.replace('%', () => option) : message(option));
    }
    found.read(reader, draft, option);
  }
  return hasLines;
}

/**
 * Returns the lines of a block. The lines of `others` come first, followed by the options in declaration order. Returns `null` if a term is
 * not representable.
 */
export async function blockLines(
  { block = {}, others }: BlockGrammar,
  object: JsonObject,
  writer: Writer,
): Promise<Line[] | null> {
  const first = others === undefined ? [] : await others.write('', object, writer);
  if (first === null) return null;
  const lines = [...first];
  for (const [option, each] of Object.entries(block)) {
    const found = each.write(option, object, writer);
    const own = found instanceof Promise ? await found : found;
    if (own === null) return null;
    lines.push(...own);
  }
  return lines;
}

/** Declares a nested block whose options set the fields of an object. Words before the block are errors, unless the term `line` parses them. */
export function block(
  options: Block,
  more: TermOptions & Omit<BlockGrammar, 'block'> & { readonly line?: Term | null } = {},
): Term {
  const { field, help, once, keep = true, line = none, shown = line?.shown ?? '', ...grammar } = more;
  const own = { ...grammar, block: options };
  return {
    shown,
    field,
    help,
    block: options,
    read(reader, draft, option) {
      const path = fieldOf(more, option);
      if (once !== undefined && draft.get(path) !== undefined) throw reader.error(once);
      const inner = new Draft();
      line?.read(reader, inner, option);
      readBlock(reader, inner, own);
      draft.put(path, inner.fields, keep);
    },
    async write(option, object, writer) {
      const found = fieldAt(object, fieldOf(more, option));
      if (!isObject(found)) return [];
      const lines = await blockLines(own, found, writer);
      const [first = { words: [option] }] = (await line?.write(option, found, writer)) ?? [];
      return lines === null ? null : [lines.length === 0 && line !== none ? first : { ...first, block: lines }];
    },
  };
}

/** Declares a block whose options set fields of the enclosing object. */
export function group(options: Block, more: Omit<BlockGrammar, 'block'> & { readonly help: string }): Term {
  const own = { ...more, block: options };
  return {
    shown: '',
    field: '',
    help: more.help,
    block: options,
    read: (reader, draft) => void readBlock(reader, draft, own),
    async write(option, object, writer) {
      const lines = await blockLines(own, object, writer);
      return lines === null ? null : lines.length === 0 ? [] : [{ words: [option], block: lines }];
    },
  };
}

/** Declares a block with one module per line. The value is a list. */
export function moduleBlock(namespace: string, key: string, options: TermOptions = {}): Term {
  const { field, help } = options;
  return {
    shown: '',
    field,
    help,
    module: namespace,
    read(reader, draft, option) {
      const found: Json[] = [];
      for (const name of reader.block()) found.push(readModule(reader, namespace, key, name));
      draft.push(fieldOf(options, option), found);
    },
    async write(option, object, writer) {
      const found = fieldAt(object, fieldOf(options, option));
      if (found === undefined) return [];
      const lines = await moduleLines({ option, namespace, key }, found, writer);
      return [{ words: [option], block: lines.map((line) => ({ ...line, words: line.words.slice(1) })) }];
    },
  };
}

/** Declares a list of matcher sets. Each line or block defines one set. A request must match at least one of the sets. */
export function matcherSets(options: Pick<TermOptions, 'field' | 'help'> = {}): Term {
  return {
    ...options,
    shown: '…',
    content: 'matchers',
    read: (reader, draft, option) => draft.push(fieldOf(options, option), [asJson(readMatchers(reader, ''))]),
    async write(option, object, writer) {
      const lines: Line[] = [];
      for (const set of objectsIn(fieldAt(object, fieldOf(options, option)))) {
        const found = await writer.matchers(set);
        if (found === null) return null;
        lines.push({ words: [option], block: found });
      }
      return lines;
    },
  };
}

/** Declares an alternative notation for a field that another term sets. The notation can be parsed, but `convert` never writes it. */
export function alias(of: Term, help?: string): Term {
  return { ...of, help: help ?? of.help, write: () => [] };
}

/** Returns the elements of a list that are objects. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}
