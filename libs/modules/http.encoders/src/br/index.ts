/** The module `http.encoders.br`, which compresses responses with Brotli (RFC 7932). */
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  type BrotliCompress,
  type BrotliOptions,
} from 'node:zlib';
import { httpEncoders, type HttpEncoder } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';

const defaultQuality = 4;
/** Maximum size of a body to encode synchronously, in bytes. For such a body, a round trip through the thread pool would take longer. */
const maxAtOnce = 2048;

const compress = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);

export const brModule = defineModule(httpEncoders, {
  name: 'br',
  help: 'Compresses with Brotli (RFC 7932). Not available in Caddy.',
  config: options({
    quality: integer('Quality level from 0 (fastest) to 11 (smallest output, very slow). Default: 4.', {
      minimum: 0,
      maximum: 11,
      default: defaultQuality,
    }),
  }),
  provision: (config) => new Brotli(config.quality ?? defaultQuality),
});

class Brotli implements HttpEncoder {
  readonly coding = 'br';
  readonly flushKind = constants.BROTLI_OPERATION_FLUSH;
  readonly #quality: number;

  constructor(quality: number) {
    this.#quality = quality;
  }

  encode(body: Buffer): Buffer | Promise<Buffer> {
    const settings = this.#options(body.length);
    return body.length <= maxAtOnce ? brotliCompressSync(body, settings) : compress(body, settings);
  }

  stream(): BrotliCompress {
    return createBrotliCompress(this.#options(0));
  }

  /** Returns the Brotli options. `size` is the size of the body, or 0 if it is unknown. */
  #options(size: number): BrotliOptions {
    return {
      chunkSize: size === 0 ? 32 * 1024 : Math.max(1024, Math.min(size + 64, 64 * 1024)),
      params: { [constants.BROTLI_PARAM_QUALITY]: this.#quality, [constants.BROTLI_PARAM_SIZE_HINT]: size },
    };
  }
}
