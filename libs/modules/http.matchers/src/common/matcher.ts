/** Helpers to declare the Caddyfile syntax of matchers. Unlike other modules, a matcher can span several lines. */
import { isObject, type JsonObject } from '@sluice/base';
import {
  blockLines,
  dictionary,
  Draft,
  expandRanges,
  list,
  readFields,
  setFields,
  syntax,
  term,
  words,
  type Dispenser,
  type Grammar,
  type Line,
  type Syntax,
  type Term,
} from '@sluice/caddyfile';

interface MatcherGrammar extends Grammar {
  /** True if the matcher's options are a single value instead of an object. */
  readonly bare?: boolean;
  /** True if the matcher accepts and ignores blocks. */
  readonly lax?: boolean;
}

export function matcher(name: string, { bare = false, lax = false, ...grammar }: MatcherGrammar): Syntax {
  const refusesBlocks = grammar.block === undefined && !lax;
  return syntax(grammar, {
    read(reader) {
      const draft = new Draft(dictionary());
      const fields = readFields(grammar, reader, draft, () => {
        if (refusesBlocks && reader.nextInBlock(reader.nesting))
          throw reader.error(`malformed ${name} matcher: blocks are not supported`);
        return reader.next();
      });
      return bare ? (draft.get(['']) ?? null) : fields;
    },
    async write(options, writer) {
      if (!bare && !isObject(options)) return null;
      const object = bare ? { '': options } : setFields(grammar, options as JsonObject);
      const lines = await grammar.line?.write('', object, writer);
      const block = await blockLines(grammar, object, writer);
      if (lines === null || block === null) return null;
      const [first = { words: [] }, ...more] = (lines ?? []).map((line) => ({ ...line, words: line.words.slice(1) }));
      return [block.length === 0 ? first : { ...first, block }, ...more];
    },
  });
}

/** Declares a matcher whose options are a list of arguments. If there are no arguments, the options are `null`, as in Caddy. */
export function wordList(name: string, shown: string, grammar: Grammar): Syntax {
  return matcher(name, { bare: true, line: list(shown, { adds: true, empty: true }), ...grammar });
}

/** Declares a matcher of IP ranges. `check` validates the Caddyfile arguments. */
export function ranges(
  name: string,
  grammar: Grammar,
  check?: (found: readonly string[], reader: Dispenser) => void,
): Syntax {
  const all = (reader: Dispenser, found: readonly string[]): readonly string[] => {
    check?.(found, reader);
    return expandRanges(found);
  };
  return matcher(name, { line: list('<range>…', { field: 'ranges', adds: true, empty: true, all }), ...grammar });
}

/** Declares a line with exactly one argument. */
export function only(shown: string, what: string, field?: string): Term {
  const read = (reader: Dispenser): string => {
    const [word, ...more] = reader.remaining();
    if (word === undefined || more.length > 0) throw reader.error(`expected exactly one ${what}`);
    return word;
  };
  return term({ shown, read }, { keep: true, ...(field === undefined ? {} : { field }) });
}

/** Declares the options of a regular expression matcher. By default, captures are named after the matcher. */
export function regexpOptions(name: string, pattern: string, reader: Dispenser): JsonObject {
  const label = name === '' ? reader.matcherName : name;
  return label === '' ? { pattern } : { name: label, pattern };
}

/** Declares block lines that set the keys of an object. */
export function keyed(
  shown: string,
  read: Term['read'],
  write: (key: string, value: JsonObject[string]) => readonly (readonly string[])[],
): Term {
  return {
    shown,
    field: '',
    read,
    write: (option, object) =>
      Object.entries(object).flatMap(([key, value]) =>
        write(key, value).map((each): Line => ({ words: [option, ...each] })),
      ),
  };
}

/** Declares a matcher with one regular expression per key: `NAME [LABEL] KEY PATTERN`. `once` returns the error for a repeated key. */
export function keyedRegexps(name: string, key: string, grammar: Grammar, once?: (key: string) => string): Syntax {
  const line = keyed(
    `[<name>] <${key}> <regexp>`,
    (reader, draft) => {
      const found = reader.remaining();
      if (found.length < 2 || found.length > 3) throw reader.argumentError();
      const [label = '', on = '', pattern = ''] = found.length === 3 ? found : ['', ...found];
      if (once !== undefined && draft.get([on]) !== undefined) throw reader.error(once(on));
      draft.put([on], regexpOptions(label, pattern, reader), true);
    },
    (on, value) => {
      const { name: label = [], pattern = [] } = isObject(value) ? value : {};
      return [words([label, on, pattern])];
    },
  );
  return matcher(name, { line, ...grammar });
}
