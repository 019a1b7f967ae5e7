/** `http.handlers.encode`: compresses responses on their way out. */
import { compileNegotiator, httpEncoders, httpHandlers, responseMatcherOptions } from '@sluice/http-app';
import { defineModule, integer, moduleMap, options, strings, structure, type Context } from '@sluice/registry';
import { EncodeHandler } from './handler.ts';
import { EncodingPolicy } from './policy.ts';

const defaultMinimum = 512;
/** Best first, where neither client nor configuration care. */
const defaultPreference = ['zstd', 'br', 'gzip'];

/** The module. */
export const encodeModule = defineModule(httpHandlers, {
  name: 'encode',
  effect: 'pure',
  help: 'Compresses responses with a coding that the client accepts, and tells caches about it.',
  config: options({
    encodings: moduleMap('Encoders to choose from.', httpEncoders),
    prefer: strings('Which of them to prefer where the client does not care. Default: zstd, br, gzip.'),
    minimum_length: integer(
      'Responses of this many bytes or less are sent as they are. Default 512, also for 0 and less.',
      {
        default: defaultMinimum,
      },
    ),
    match: structure(
      'Which responses to encode. Default: text, and other types known to shrink.',
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
    if (!known.includes(name)) throw context.error(`${JSON.stringify(name)} is not an encoder of encodings`, ...at);
    if (preferred.indexOf(name) < index) throw context.error(`${JSON.stringify(name)} is in the list already`, ...at);
  }
}
