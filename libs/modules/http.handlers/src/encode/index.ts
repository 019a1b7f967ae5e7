/** `http.handlers.encode`: compresses responses. */
import { compileNegotiator, httpEncoders, httpHandlers, responseMatcherOptions } from '@sluice/http-app';
import { defineModule, integer, moduleMap, options, strings, structure, type Context } from '@sluice/registry';
import { EncodeHandler } from './handler.ts';
import { EncodingPolicy } from './policy.ts';

const defaultMinimum = 512;
/** Default order of preference for content codings, best first. */
const defaultPreference = ['zstd', 'br', 'gzip'];

export const encodeModule = defineModule(httpHandlers, {
  name: 'encode',
  effect: 'pure',
  help: 'Compresses responses with an encoding that the client accepts, and sets the `Vary` header field.',
  config: options({
    encodings: moduleMap('Encodings to support, with their settings.', httpEncoders),
    prefer: strings(
      'Preferred order of encodings, for clients that do not specify a preference. Default: zstd, br, gzip.',
    ),
    minimum_length: integer(
      'Responses of up to this size, in bytes, are not compressed. Default: 512; 0 and negative values also mean 512.',
      {
        default: defaultMinimum,
      },
    ),
    match: structure(
      'Matcher for the responses to compress. Default: text and other content types that compress well.',
      responseMatcherOptions,
    ),
  }),
  async provision(config, context) {
    for (const [name, node] of Object.entries(config.encodings ?? {})) {
      if (node === null) throw context.error('must be an object of options, not null', 'encodings', name);
    }
    const encoders = await context.loadMap(httpEncoders, config.encodings ?? {}, 'encodings');
    const preferred = config.prefer ?? [];
    checkPreferred(preferred, [...encoders.keys()], context);
    const byCoding = new Map([...encoders.values()].map((encoder) => [encoder.coding, encoder]));
    const negotiate = compileNegotiator([...byCoding.keys()], preferred.length > 0 ? preferred : defaultPreference);
    const minimum = config.minimum_length ?? 0;
    const policy = new EncodingPolicy(minimum > 0 ? minimum : defaultMinimum, config.match ?? null);
    return new EncodeHandler(byCoding, negotiate, policy);
  },
});

function checkPreferred(preferred: readonly string[], known: readonly string[], context: Context): void {
  for (const [index, name] of preferred.entries()) {
    const at = ['prefer', index] as const;
    if (!known.includes(name)) throw context.error(`${JSON.stringify(name)} is not in encodings`, ...at);
    if (preferred.indexOf(name) < index) throw context.error(`${JSON.stringify(name)} is listed more than once`, ...at);
  }
}
