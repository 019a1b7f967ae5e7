/** Declarations of terms for several words, modules and blocks. */
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

/** Words that each set one field, in this order. A field that ends with `…` takes all remaining words. */
export function fields(
  shown: string,
  names: readonly string[],
  options: {
    readonly least?: number;
    /** Error for too many words. Default: the error for a wrong number of words. */
    readonly tooMany?: string;
    /** Ignores surplus words. */
    readonly lax?: boolean;
    readonly writes?: boolean;
    readonly keep?: boolean;
    readonly help?: string;
    /** Field names in error messages for values that must be integers. */
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

/** Module: `OPTION NAME …`. In JSON, the name is under `key`. */
export function module(
  namespace: string,
  key: string,
  options: Omit<TermOptions, 'repeated'> & {
    /** True if several lines add elements to a list. */
    readonly adds?: boolean;
    /** Error if the field is already set. The error is reported at the name. */
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

/** List of modules. Their names begin the lines of a block. */
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

/** Declares `NAME VALUE` after the option. Each line sets one key of a dictionary. */
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

/** Block whose lines set dictionary keys, with any names. */
export function entries(
  shown: string,
  options: TermOptions & {
    readonly value: (reader: Dispenser, known: Json | undefined, name: string) => Json;
    readonly lines?: (value: Json) => readonly Line[];
    /** True if an empty block leaves the field unchanged. */
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

/** Options of a block, and the term for other lines. */
export interface BlockGrammar {
  readonly block?: Block;
  /** Error about an unknown option, whose name replaces `%`. `null`: the error for a wrong number of words. */
  readonly unknown?: string | ((option: string) => string) | null | undefined;
  /** Lines that begin with other words, such as module names. */
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

/** Writes the lines of a block: other lines first, then lines in declaration order; `null` if a term can't be written. */
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

/** Nested block whose options set object fields. Words before the block are errors, unless `line` reads them. */
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

/** Block whose options set fields of the surrounding object. */
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

/** Block with one module per line. The value is a list. */
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

/** Matcher sets, one per line or block. A request must match any of the sets. */
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

/** Declares an alternative notation for a field that another term sets. It is parsed, but never written. */
export function alias(of: Term, help?: string): Term {
  return { ...of, help: help ?? of.help, write: () => [] };
}

/** Returns the list elements that are objects. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}
