/**
 * User-supplied regular expressions with RE2 syntax and semantics. Matching takes linear time for any pattern. re2js validates every
 * pattern and can run all RE2 patterns. Patterns that V8's linear engine supports run natively, 10 to 30 times faster. linear.ts explains
 * why matching takes linear time. parse.ts and syntax.ts describe the patterns that cannot run natively.
 */
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { messageOf } from '../errors.ts';
import { quoted, valueError } from '../values/value-error.ts';
import { canRunLinear, hasLinearEngine } from './linear.ts';
import { parsePattern } from './parse.ts';
import { compileReplacement, expandReplacement, type Replacement } from './replacement.ts';
import { hasSameGroups } from './syntax.ts';
import { needsPlainText, toSource } from './translate.ts';

/**
 * Strings of a match: the entire match at index 0, followed by the groups. `undefined` means that a group did not participate in the match.
 * Go returns an empty string for such a group.
 */
export type RegExpGroups = readonly (string | undefined)[];

/** A compiled regular expression. It has no state, so callers can share it. */
export interface SafeRegExp {
  /** Original pattern from the configuration. */
  readonly source: string;
  /** Number of capturing groups, excluding the entire match. */
  readonly groupCount: number;
  /** True if V8 runs the pattern natively. False if re2js runs it, which also takes linear time but is at least ten times slower. */
  readonly isNative: boolean;
  readonly names: ReadonlyMap<string, number>;
  /** Reports whether the text contains a match. */
  test(text: string): boolean;
  /** Returns the groups of the first match, or `null` if there is no match. */
  exec(text: string): RegExpGroups | null;
  /** Replaces all matches. {@link compileReplacement} describes the syntax of the replacement string. */
  replaceAll(text: string, replacement: string): string;
  /**
   * Replaces the matches that begin in `text[from, limit)`, as one step of processing a longer text. The text before `from` affects only
   * anchors. The result covers the text up to `end`, which is either `limit` or the end of the last match.
   */
  replacePart(text: string, replacement: string, range: TextRange): ReplacedPart;
}

/** Range of the text that {@link SafeRegExp.replacePart} processes. */
export interface TextRange {
  readonly from: number;
  readonly limit: number;
  /** True if a match ended at `from`. In this case, an empty match at `from` is ignored, as in Go. */
  readonly afterMatch: boolean;
}

/** Result of {@link SafeRegExp.replacePart}. */
export interface ReplacedPart {
  readonly text: string;
  readonly end: number;
  readonly afterMatch: boolean;
}

const require = createRequire(import.meta.url);

/** Compiles a pattern in RE2 syntax. Loads re2js on first use. Throws `ERR_VALUE` if the pattern is invalid. */
export function compileRegExp(pattern: string): SafeRegExp {
  const { RE2JS } = require('re2js') as typeof Re2;
  let engine: Re2.RE2JS;
  try {
    engine = RE2JS.compile(pattern);
  } catch (error) {
    throw valueError(`regular expression ${quoted(pattern)}: ${explain(pattern, messageOf(error))}`, error);
  }
  return new CompiledRegExp(pattern, engine);
}

function explain(pattern: string, message: string): string {
  const problem = message.replace(/^error parsing regexp: /, '');
  const missing = /\(\?<?[=!]|\(\?>|\\[1-9]/.test(pattern);
  return missing ? `${problem}; RE2 does not support lookaround and backreferences` : problem;
}

type Found = RegExpGroups & { readonly index: number };

const surrogate = /[\ud800-\udfff]/;

/**
 * Maximum text length for the native engine, in characters. Its backtrack stack has a limited size and needs about 40 bytes per character
 * and group.
 */
const maxNativeText = 65_536;

/** Maximum number of groups for the native engine, whose backtrack stack has a limited size. */
const maxNativeGroups = 50;

class CompiledRegExp implements SafeRegExp {
  readonly source: string;
  readonly groupCount: number;
  readonly isNative: boolean;
  readonly names: ReadonlyMap<string, number>;
  readonly #engine: Re2.RE2JS;
  /** Native regular expressions, one for `test` and one for extracting groups. `null` if re2js runs the pattern. */
  readonly #tester: RegExp | null;
  readonly #finder: RegExp | null;
  /** True if the native regular expressions are valid only for strings without surrogates. */
  readonly #plainOnly: boolean;
  /** Caches the most recent compiled replacement, because callers usually use only one. */
  #replacement: { readonly source: string; readonly parts: Replacement } = { source: '', parts: [] };

  constructor(source: string, engine: Re2.RE2JS) {
    this.source = source;
    this.groupCount = engine.groupCount();
    this.names = new Map(Object.entries(engine.namedGroups()));
    this.#engine = engine;
    const tree = hasLinearEngine() ? parsePattern(source) : null;
    this.#tester = tree === null ? null : nativeRegExp(toSource(tree, false, source), '');
    const findable = tree !== null && this.groupCount <= maxNativeGroups && hasSameGroups(tree);
    this.#finder = findable ? nativeRegExp(toSource(tree, true, source), 'g') : null;
    this.#plainOnly = tree !== null && needsPlainText(tree);
    this.isNative = this.#finder !== null;
  }

  test(text: string): boolean {
    return this.#tester !== null && this.#isPlain(text) ? this.#tester.test(text) : this.#engine.test(text);
  }

  exec(text: string): RegExpGroups | null {
    if (this.#finder === null || !this.#isPlain(text)) return this.#engine.exec(text);
    this.#finder.lastIndex = 0;
    return this.#finder.exec(text);
  }

  /** Reports whether the native regular expressions can run on the string. */
  #isPlain(text: string): boolean {
    return text.length <= maxNativeText && !(this.#plainOnly && surrogate.test(text));
  }

  replaceAll(text: string, replacement: string): string {
    return this.replacePart(text, replacement, { from: 0, limit: text.length + 1, afterMatch: false }).text;
  }

  replacePart(text: string, replacement: string, { from, limit, afterMatch }: TextRange): ReplacedPart {
    if (this.#replacement.source !== replacement) {
      this.#replacement = { source: replacement, parts: compileReplacement(replacement, this.groupCount, this.names) };
    }
    const { parts } = this.#replacement;
    const find = this.#finderIn(text);
    let result = '';
    let copied = from;
    let isAfter = afterMatch;
    for (let at = from; at <= text.length;) {
      const match = find(at);
      if (match === null || match.index >= limit) break;
      const end = match.index + (match[0] ?? '').length;
      result += text.slice(copied, match.index);
      // As in Go, ignore an empty match directly after another match.
      if (end > match.index || match.index > copied || !isAfter) result += expandReplacement(parts, match);
      isAfter = true;
      copied = end;
      at = Math.max(end, at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
    }
    const end = Math.max(copied, Math.min(limit, text.length));
    return { text: result + text.slice(copied, end), end, afterMatch: isAfter && copied === end };
  }

  /** Returns a function that finds the first match at or after an index. */
  #finderIn(text: string): (from: number) => Found | null {
    const finder = this.#finder;
    if (finder !== null && this.#isPlain(text)) {
      return (from) => {
        finder.lastIndex = from;
        return finder.exec(text);
      };
    }
    const matcher = this.#engine.matcher(text);
    const indexes = Array.from({ length: this.groupCount + 1 }, (_, index) => index);
    return (from) => {
      if (!matcher.find(from)) return null;
      const groups = indexes.map((index) => matcher.group(index) ?? undefined);
      return Object.assign(groups, { index: matcher.start() });
    };
  }
}

/** Compiles a source for the native engine. Returns `null` if linear time is not guaranteed. */
function nativeRegExp(source: string | null, flags: 'g' | ''): RegExp | null {
  // Add a group to make the source unique. V8 may have compiled the same source before the linear engine was enabled.
  const wrapped = `(?:${source})`;
  return source !== null && canRunLinear(wrapped) ? new RegExp(wrapped, flags) : null;
}
