/** The module `http.handlers.replace_response`, which replaces strings or regular expression matches in response bodies. */
import {
  compileResponseMatcher,
  compileText,
  httpHandlers,
  responseMatcherOptions,
  type Exchange,
  type HttpHandler,
  type Next,
} from '@sluice/http-app';
import { compileRegExp, messageOf, type SafeRegExp } from '@sluice/base';
import { boolean, defineModule, list, options, string, structure, type Context, type Options } from '@sluice/registry';
import { ReplacedResponse, type Replacing } from './replaced-response.ts';
import { RegExpStage, StringStage, type Stage } from './stages.ts';

const replacementOptions = options({
  search: string('String to search for. Mutually exclusive with `search_regexp`.'),
  search_regexp: string('Regular expression (RE2 syntax) to search for.'),
  replace: string('Replacement string. `$1` and `$name` expand to capture groups.'),
});

export const replaceResponseModule = defineModule(httpHandlers, {
  name: 'replace_response',
  effect: 'pure',
  help: 'Replaces text in response bodies. Compressed, partial and gRPC responses are not changed, and the `Range` request header field is ignored. Compatible with the Caddy plugin caddyserver/replace-response.',
  config: options({
    replacements: list('Replacements to make in response bodies, in order.', replacementOptions),
    stream: boolean(
      'Stream response bodies, without Content-Length, instead of buffering up to 16 MiB. With streaming, matches longer than 2,048 characters may be missed; with buffering, matches longer than 32,768 characters. Event streams are always streamed.',
    ),
    match: structure('Matcher that selects the responses to modify. Default: all responses.', responseMatcherOptions),
  }),
  provision(config, context): HttpHandler {
    const stages = (config.replacements ?? []).map((each, i) => compileStage(each, context, i));
    return new ReplaceResponse({
      match: compileResponseMatcher(config.match),
      stream: config.stream === true,
      stages: (exchange, maxMatch) => {
        const made: Stage[] = [];
        for (const make of stages) {
          const stage = make(exchange, maxMatch);
          if (stage !== null) made.push(stage);
        }
        return made;
      },
    });
  },
});

/** Creates the replacement stage for a response. Returns `null` if the search string is empty. */
type MakeStage = (exchange: Exchange, maxMatch: number) => Stage | null;

function compileStage(config: Options<typeof replacementOptions>, context: Context, index: number): MakeStage {
  const search = config.search ?? '';
  const pattern = config.search_regexp ?? '';
  const replacement = compileText(config.replace ?? '', 'keep');
  const at = ['replacements', index] as const;
  if (pattern === '') {
    if (search === '') throw context.error('requires search or search_regexp', ...at);
    const searched = compileText(search, 'keep');
    return (exchange) => {
      const text = searched.expand(exchange);
      return text === '' ? null : new StringStage(text, replacement.expand(exchange));
    };
  }
  if (search !== '') throw context.error('has both search and search_regexp; keep one of them', ...at);
  let expression: SafeRegExp;
  try {
    expression = compileRegExp(pattern);
  } catch (error) {
    throw context.error(messageOf(error), ...at, 'search_regexp');
  }
  return (exchange, maxMatch) => new RegExpStage(expression, replacement.expand(exchange), maxMatch);
}

class ReplaceResponse implements HttpHandler {
  readonly #replacing: Replacing;

  constructor(replacing: Replacing) {
    this.#replacing = replacing;
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    // Remove the Range header, because offsets in the replaced body would differ from those that the client expects.
    exchange.headers.delete('range');
    exchange.headers.delete('if-range');
    const filter = new ReplacedResponse(exchange, this.#replacing);
    exchange.response = filter;
    let pending: void | Promise<void>;
    try {
      pending = next(exchange);
    } catch (error) {
      exchange.response = filter.inner;
      throw error;
    }
    if (pending !== undefined) return finishLater(exchange, filter, pending);
    exchange.response = filter.inner;
    filter.finish();
  }
}

async function finishLater(exchange: Exchange, filter: ReplacedResponse, pending: Promise<void>): Promise<void> {
  try {
    await pending;
    filter.finish();
  } finally {
    exchange.response = filter.inner;
  }
}
