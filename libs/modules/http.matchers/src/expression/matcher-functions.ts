/** Functions that correspond to matchers, such as `path('/a/*')` and `header({'X-A': ['1', '2*']})`. */
import type { HttpMatcher } from '@sluice/http-app';
import { compileRanges, valueError, itemAt } from '@sluice/base';
import { Capturing } from '../common/capturing.ts';
import { fileMatcher } from '../file/index.ts';
import { headerMatcher } from '../header/index.ts';
import { headerRegexpMatcher } from '../header_regexp/index.ts';
import { hostMatcher } from '../host/index.ts';
import { methodMatcher } from '../method/index.ts';
import { pathMatcher } from '../path/index.ts';
import { pathRegexpMatcher } from '../path_regexp/index.ts';
import { protocolMatcher } from '../protocol/index.ts';
import { queryMatcher } from '../query/index.ts';
import { tlsMatcher } from '../tls/index.ts';
import { urlPatternMatcher } from '../url_pattern/index.ts';
import { varsMatcher } from '../vars/index.ts';
import { varsRegexpMatcher } from '../vars_regexp/index.ts';
import { allTexts, mapEntries, matcherOf, withPlaceholders, type EntryParts, type TextParts } from './arguments.ts';
import { fileArguments } from './file-arguments.ts';
import type { Node } from './tree.ts';

/** A matcher function: its usage for error messages, and a factory that returns `null` for invalid arguments. */
export interface MatcherFunction {
  readonly usage: string;
  /** Creates the matcher. `name` is the default name of captures. */
  make(args: readonly Node[], name: string): HttpMatcher | null;
}

function ofTexts(
  usage: string,
  least: number,
  max: number,
  make: (texts: TextParts[], name: string) => HttpMatcher,
): MatcherFunction {
  return {
    usage,
    make(args, name) {
      const texts = args.length < least || args.length > max ? null : allTexts(args);
      return texts && make(texts, name);
    },
  };
}

function ofMap(usage: string, make: (entries: EntryParts[]) => HttpMatcher): MatcherFunction {
  return {
    usage,
    make(args) {
      const entries = args.length === 1 ? mapEntries(args[0]) : null;
      return entries && make(entries);
    },
  };
}

/** Creates a matcher from a map whose keys are literal names without placeholders. */
function byNames(
  make: (entries: (readonly [string, readonly string[]])[]) => HttpMatcher,
): (entries: EntryParts[]) => HttpMatcher {
  return (entries) =>
    matcherOf(
      entries.map(({ key }) => key),
      (keys) => make(entries.map(({ values }, index) => [itemAt(keys, index), values.map(withPlaceholders)])),
    );
}

/** If the number of arguments is one less than `full`, adds the name for captures. The default is the name of the expression. */
function captured(texts: TextParts[], full: number, name: string): TextParts[] {
  return texts.length === full ? texts : [[name], ...texts];
}

const byAddress =
  (read: 'clientIp' | 'peer') =>
  (texts: TextParts[]): HttpMatcher =>
    matcherOf(texts, (ranges) => {
      const contains = compileRanges(ranges);
      return {
        match: (exchange) => contains(read === 'clientIp' ? exchange.clientIp : exchange.connection.remoteAddress),
      };
    });

/** TLS handshake states by name; see the `tls` matcher. */
const handshakeStates: ReadonlyMap<string, boolean | null> = new Map([
  ['any', null],
  ['complete', true],
  ['early_data', false],
]);

function tlsOf(args: readonly Node[]): HttpMatcher | null {
  if (args.length === 0) return tlsMatcher(null);
  const [name] = args.length === 1 ? (allTexts(args) ?? []) : [];
  const state = name === undefined ? undefined : handshakeStates.get(name.join(''));
  return state === undefined ? null : tlsMatcher(state);
}

export const matcherFunctions: ReadonlyMap<string, MatcherFunction> = new Map([
  ['path', ofTexts('one or more strings', 1, Infinity, (texts) => pathMatcher(texts.map(withPlaceholders)))],
  [
    'host',
    ofTexts('one or more strings', 1, Infinity, (texts) => hostMatcher(texts.map(withPlaceholders), valueError)),
  ],
  ['method', ofTexts('one or more strings', 1, Infinity, (texts) => matcherOf(texts, methodMatcher))],
  ['protocol', ofTexts('a string', 1, 1, (texts) => matcherOf(texts, ([name = '']) => protocolMatcher(name)))],
  ['remote_ip', ofTexts('one or more strings', 1, Infinity, byAddress('peer'))],
  ['client_ip', ofTexts('one or more strings', 1, Infinity, byAddress('clientIp'))],
  ['tls', { usage: "no argument, 'complete', 'early_data' or 'any'", make: tlsOf }],
  ['header', ofMap("a map such as {'X-A': ['1', '2*']}", byNames(headerMatcher))],
  ['vars', ofMap("a map such as {'beta': 'true'}", byNames(varsMatcher))],
  [
    'query',
    ofMap("a map such as {'page': '*'}", (entries) =>
      queryMatcher(entries.map(({ key, values }) => [withPlaceholders(key), values.map(withPlaceholders)])),
    ),
  ],
  [
    'path_regexp',
    ofTexts('an optional capture group name, and a pattern', 1, 2, (texts, outer) =>
      matcherOf(captured(texts, 2, outer), ([name = '', pattern = '']) =>
        pathRegexpMatcher(new Capturing(pattern, name)),
      ),
    ),
  ],
  [
    'header_regexp',
    ofTexts('an optional capture group name, a header field name, and a pattern', 2, 3, (texts, outer) =>
      matcherOf(captured(texts, 3, outer), ([name = '', field = '', pattern = '']) =>
        headerRegexpMatcher([[field, new Capturing(pattern, name)]]),
      ),
    ),
  ],
  [
    'vars_regexp',
    ofTexts('an optional capture group name, a variable name, and a pattern', 2, 3, (texts, outer) =>
      matcherOf(captured(texts, 3, outer), ([name = '', key = '', pattern = '']) =>
        varsRegexpMatcher([[key, new Capturing(pattern, name)]]),
      ),
    ),
  ],
  [
    'url_pattern',
    ofTexts('a pattern, and an optional base URL', 1, 2, (texts) =>
      matcherOf(texts, ([pattern = '', base = '']) => urlPatternMatcher({ pattern, base_url: base })),
    ),
  ],
  [
    'file',
    {
      usage: 'no argument, paths to try, or a map with root, try_files, try_policy and split_path',
      make(args) {
        const options = fileArguments(args);
        return options && fileMatcher(options, null);
      },
    },
  ],
]);
