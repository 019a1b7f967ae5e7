/**
 * Declarative grammar of the Caddyfile. Each directive, global option, or module has one declaration. The declaration determines parsing,
 * the output of `convert`, completion in editors, and the reference documentation. Help texts come from the corresponding JSON options.
 * Example: `export const fastcgi = syntax({ block: { root: text('<path>'), dial_timeout: duration() }, example: 'root /srv/app' });`
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

/** Grammar of the syntax after a name: the words on the same line, and a block. */
export interface Grammar {
  /** Words on the first line. If missing, the words are not checked. */
  readonly line?: Term;
  readonly block?: Block;
  /** See {@link BlockGrammar.unknown}. */
  readonly unknown?: BlockGrammar['unknown'];
  readonly others?: Term;
  /** Path of the object that contains the fields, such as `providers.jwt`. Default: the handler itself. */
  readonly below?: string;
  /** Default values of fields that no line in the Caddyfile sets. */
  readonly unset?: Readonly<Record<string, string | boolean | null>>;
  /** Validates or completes the parsed fields. */
  finish?(fields: Record<string, Json>, reader: Dispenser): Json | undefined;
  /** Syntax forms without the name, for documentation. Default: derived from `line`. */
  readonly shown?: readonly string[];
  /**
   * False if a directive doesn't accept a matcher. If `before` is set, the first word is a matcher only if a second word follows. `before`
   * is the name of the second word in error messages.
   */
  readonly matcher?: false | { readonly before: string };
  /** Help text that replaces the help of the JSON module. */
  readonly help?: string;
  readonly content?: BlockContent;
  /** Lines of an example, without the lines of `within`. */
  readonly example?: string;
  /** Context of the example: lines that open blocks, followed by `%` for the example. An empty line opens the block of global options. */
  readonly within?: readonly string[];
}

/** Help texts of JSON options, for use in descriptions. */
export interface Help {
  readonly module: string;
  option(path: Path): string;
}

/** Result of a declaration. `T` is the function that parses the syntax, and `U` is the function that writes it. */
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

/** Parses the fields of an object. `again` reports whether another line belongs to the same object. */
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

/** Returns an object's fields, except fields whose values equal the defaults in `unset`. */
export function setFields({ unset }: Grammar, object: JsonObject): JsonObject {
  if (unset === undefined) return object;
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => unset[key] !== value));
}

/**
 * Writes an object according to a grammar. Returns `null` if a term is not representable. If `strict` is set, also returns `null` if the
 * object lacks a required value.
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

/** Declares the Caddyfile syntax of a module. `own` contains functions for the parts that terms cannot represent. */
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

/** Declares a module that has no options and consists only of its name. */
export function named(grammar: Grammar = {}): Syntax {
  return syntax(grammar, {
    read(reader) {
      reader.noArguments();
      return {};
    },
  });
}

/** Grammar of a directive that creates a handler. */
export interface HandlerGrammar extends Grammar {
  finish?(fields: Record<string, Json>, reader: DirectiveReader): Json | undefined;
}

/** Declares a directive that creates the handler with the given name. */
export function handler(
  name: string,
  grammar: HandlerGrammar,
  own: {
    /** Parses the options of the handler after the matcher. If the function returns `null`, the directive creates no route. */
    readonly read?: (reader: DirectiveReader) => Json | null;
    /** Parses the entire directive, including its matcher. */
    readonly directive?: Directive;
    readonly write?: WriteDirective;
    /** Returns configuration that the directive adds to its site in addition to the route. `fields` contains the parsed fields. */
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

/** Reports whether the first line contains a required word. */
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

/** Returns the example as a complete Caddyfile, indented in the same way as by `fmt`. */
function example({ example: own, within = [':8080'] }: Grammar, name: string): string {
  const last = within.at(-1) ?? '';
  const before = last.endsWith('%') ? last.slice(0, -1) : '';
  const blocks = before === '' ? within : within.slice(0, -1);
  const indent = '\t'.repeat(blocks.length);
  const heads = blocks.map((block, depth) => `${'\t'.repeat(depth)}${block}${block === '' ? '' : ' '}{\n`);
  const ends = blocks.map((_, depth) => `${'\t'.repeat(blocks.length - 1 - depth)}}\n`);
  return `${heads.join('')}${indent}${before}${(own ?? name).replaceAll('\n', `\n${indent}`)}\n${ends.join('')}`;
}
