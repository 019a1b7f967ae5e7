/** The module `http.handlers.copy_response_headers`, which copies headers from the upstream response to the client response. */
import { HttpError, httpHandlers, type HttpHandler, proxyFacts } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { defineModule, options, strings } from '@sluice/registry';

/** Headers that describe the upstream connection or the body. They are not copied. */
const notCopied: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const copyResponseHeadersModule = defineModule(httpHandlers, {
  name: 'copy_response_headers',
  effect: 'pure',
  help: 'Copies header fields from the upstream response. Only valid in `handle_response` routes.',
  config: options({
    include: strings('Header fields to copy. Default: all except those in `exclude`.'),
    exclude: strings('Header fields to skip.'),
  }),
  provision(config, context): HttpHandler {
    const include = lowerCaseSet(config.include);
    const exclude = lowerCaseSet(config.exclude);
    if (include !== null && exclude !== null) throw context.error('has both include and exclude; keep one of them');
    const wanted = (name: string): boolean =>
      include === null ? exclude === null || !exclude.has(name) : include.has(name);
    return {
      handle: (exchange, next) => {
        const held = exchange.attached(proxyFacts)?.held ?? null;
        if (held === null)
          throw new HttpError(
            500,
            'copy_response_headers requires a response: use it in handle_response of reverse_proxy',
          );
        copy(held.headers, exchange.response.headers, wanted);
        return next(exchange);
      },
    };
  },
});

function lowerCaseSet(names: readonly string[] | null | undefined): ReadonlySet<string> | null {
  return names === null || names === undefined || names.length === 0
    ? null
    : new Set(names.map((name) => name.toLowerCase()));
}

function copy(from: HeaderMap, to: HeaderMap, wanted: (name: string) => boolean): void {
  for (const [name, value] of from) if (!notCopied.has(name) && wanted(name)) to.append(name, value);
}
