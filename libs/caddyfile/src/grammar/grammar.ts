/**
 * Each directive, global option or module of the Caddyfile has one declaration. The declaration determines parsing, writing by `convert`,
 * completion in editors, and the reference documentation. Help texts are taken from the corresponding JSON options. Example: `export const
 * fastcgi = syntax({ block: { root: text('<path>'), dial_timeout: duration() }, example: 'root /srv/app' });`
 */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import type { ConfigValue } from '../http/config-value.ts';
import type { Directive, ModuleSyntax } from '../http/contributions.ts';
import type { BlockContent, Description } from '../http/description.ts';
import type { DirectiveReader } from '../http/directive-reader.ts';
import { moduleObject } from '../json.ts';
import { valueAt } from '../inverse/json-parts.ts';
import { written } from '../inverse/values.ts';
import type { WriteDirective, WriteModule, Written, Writer } from '../inverse/written.ts';
import { Draft, pathOf, type Path } from './draft.ts';
import { blockLines, readBlock, type BlockGrammar } from './blocks.ts';
import { describeBlock, fieldOf, type Block, type Term } from './term.ts';

/** Syntax after a name: words on its line, and a block. */
export interface Grammar {
  /** Words on the first line. If absent, the words are not checked. */
  readonly line?: Term;
  readonly block?: Block;
  /** See {@link BlockGrammar.unknown}. */
  readonly unknown?: BlockGrammar['unknown'];
  readonly others?: Term;
  /** Path of the object with the fields of a handler, such as `providers.jwt`. Default: the handler itself. */
  readonly below?: string;
  /** Default values of fields that no line sets. */
  readonly unset?: Readonly<Record<string, string | boolean | null>>;
  /** Checks or completes the result. */
  finish?(fields: Record<string, Json>, reader: Dispenser): Json | undefined;
  /** Forms without the name. Default: derived from `line`. */
  readonly shown?: readonly string[];
  /**
   * False if a directive accepts no matcher. With `before`, a word is only a matcher if another word follows; errors call the second word
   * `before`.
   */
  readonly matcher?: false | { readonly before: string };
  /** Replaces the help of the JSON module. */
  readonly help?: string;
  readonly content?: BlockContent;
  /** Lines of an example, without the surrounding lines. */
  readonly example?: string;
  /** Context of the example: lines that open blocks (an empty line for global options), followed by `%` for the example. */
  readonly within?: readonly string[];
}

/** Help of JSON options, for descriptions. */
export interface Help {
  readonly module: string;
  option(path: Path): string;
}

/** Result of a declaration. `T` parses the syntax, and `U` writes it. */
export interface Declared<T, U> {
  readonly read: T;
  readonly write: U;
  describe(name: string, help: Help): Description;
}

export type Syntax = Declared<ModuleSyntax, WriteModule>;

/** Syntax of a directive that creates a handler. */
export type HandlerSyntax = Declared<Directive, WriteDirective>;

/** Parses the words and the block after a name into a draft. */
export function readInto(grammar: Grammar, reader: Dispenser, draft: Draft): void {
  grammar.line?.read(reader, draft, '');
  if (grammar.block !== undefined || grammar.others !== undefined) readBlock(reader, draft, grammar);
}

/** Parses the fields of an object. `again` reports whether an additional line belongs to the object. */
export function readFields(
  grammar: Grammar,
  reader: Dispenser,
  draft = new Draft(),
  again = (): boolean => false,
): Json {
  do readInto(grammar, reader, draft);
  while (again());
  const fields = grammar.unset === undefined ? draft.fields : { ...grammar.unset, ...draft.fields };
  return grammar.finish?.(fields, reader) ?? fields;
}

/** Returns the fields of an object except fields that no line sets. */
export function setFields({ unset }: Grammar, object: JsonObject): JsonObject {
  if (unset === undefined) return object;
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => unset[key] !== value));
}

/**
 * Writes an object according to a grammar. Returns `null` if a term can't be written or, with `strict`, if the object lacks a required
 * value.
 */
export async function writeFields(
  grammar: Grammar,
  all: JsonObject,
  writer: Writer,
  strict = false,
): Promise<Written | null> {
  const object = setFields(grammar, all);
  const [line] = (await grammar.line?.write('', object, writer)) ?? [];
  if (strict && line === undefined && requiresWords(grammar)) return null;
  const lines = await blockLines(grammar, object, writer);
  return lines === null ? null : written(line?.words.slice(1) ?? [], [...(line?.block ?? []), ...lines]);
}

/** Declares a module syntax. `own` contains functions for parts that terms can't express. */
export function syntax(
  grammar: Grammar,
  own: { readonly read?: ModuleSyntax; readonly write?: WriteModule } = {},
): Syntax {
  const hasOptions = grammar.line !== undefined || grammar.block !== undefined || grammar.others !== undefined;
  return {
    read: own.read ?? ((reader) => readFields(grammar, reader)),
    write:
      own.write ??
      (async (options, writer) => {
        if (!isObject(options) || (!hasOptions && Object.keys(options).length > 0)) return null;
        const found = await writeFields(grammar, options, writer);
        return found === null ? null : [found];
      }),
    describe: (name, help) => describe(grammar, name, '', help),
  };
}

/** Declares a module without options, which consists of its name. */
export function named(grammar: Grammar = {}): Syntax {
  return syntax(grammar, {
    read(reader) {
      reader.noArguments();
      return {};
    },
  });
}

/** Syntax after the name of a directive that creates a handler. */
export interface HandlerGrammar extends Grammar {
  finish?(fields: Record<string, Json>, reader: DirectiveReader): Json | undefined;
}

/** Declares a directive that creates the named handler. */
export function handler(
  name: string,
  grammar: HandlerGrammar,
  own: {
    /** Parses the handler's options after the matcher. `null` creates no route. */
    readonly read?: (reader: DirectiveReader) => Json | null;
    /** Parses the directive including its matcher. */
    readonly directive?: Directive;
    readonly write?: WriteDirective;
    /**
     * Configuration that the directive adds to its site, in addition to the route. `fields` contains the parsed fields.
     */
    readonly also?: (fields: JsonObject) => readonly ConfigValue[];
  } = {},
): HandlerSyntax {
  const { below, matcher, finish, ...rest } = grammar;
  return {
    read:
      own.directive ??
      ((reader) => {
        const match = typeof matcher === 'object' ? reader.matcherBefore(matcher.before) : reader.matcher();
        const found = own.read === undefined ? readFields(rest, reader) : own.read(reader);
        if (found === null) return [];
        if (typeof matcher === 'object') reader.remaining();
        const options = finish?.(found as Record<string, Json>, reader) ?? found;
        const made = reader.route(match, moduleObject('handler', name, within(below, options)));
        return own.also === undefined ? made : [...made, ...own.also(found as JsonObject)];
      }),
    write:
      own.write ??
      ((options, writer) => {
        const object = below === undefined ? options : valueAt(options, pathOf(below));
        return isObject(object) ? writeFields(grammar, object, writer, true) : null;
      }),
    describe: (called, help) => describe(grammar, called, matcher === false ? '' : '[<matcher>]', help),
  };
}

function within(path: string | undefined, value: Json): Json {
  if (path === undefined) return value;
  const draft = new Draft();
  draft.put(pathOf(path), value, true);
  return draft.fields;
}

/** Reports whether the first line sets a field with a required word. */
function requiresWords({ line }: Grammar): boolean {
  return line !== undefined && line.field !== '' && !line.shown.startsWith('[');
}

export function describe(grammar: Grammar, name: string, matcher: string, help: Help): Description {
  const { line, block = line?.block ?? {}, others, content } = grammar;
  const forms = (grammar.shown ?? [line?.shown ?? '']).map((form) =>
    [name, matcher, form].filter((each) => each !== '').join(' '),
  );
  const options = describeBlock(block, (path) => help.option(path));
  if (others !== undefined && others.shown !== '')
    options.push({
      syntax: others.shown,
      summary: others.help ?? help.option(fieldOf(others, '')),
      ...(others.module === undefined ? {} : { module: others.module }),
    });
  return {
    syntax: forms as unknown as readonly [string, ...string[]],
    summary: grammar.help ?? help.module,
    ...(line?.module === undefined ? {} : { module: line.module }),
    ...(options.length === 0 ? {} : { options }),
    ...(content === undefined ? {} : { block: content }),
    example: example(grammar, name),
  };
}

/** Returns the example as a complete file, indented as by `fmt`. */
function example({ example: own, within = [':8080'] }: Grammar, name: string): string {
  const last = within.at(-1) ?? '';
  const before = last.endsWith('%') ? last.slice(0, -1) : '';
  const blocks = before === '' ? within : within.slice(0, -1);
  const indent = '\t'.repeat(blocks.length);
  const heads = blocks.map((block, depth) => `${'\t'.repeat(depth)}${block}${block === '' ? '' : ' '}{\n`);
  const ends = blocks.map((_, depth) => `${'\t'.repeat(blocks.length - 1 - depth)}}\n`);
  return `${heads.join('')}${indent}${before}${(own ?? name).replaceAll('\n', `\n${indent}`)}\n${ends.join('')}`;
}
