/** `http.encoders.br`: Brotli (RFC 7932). */
import { brotliCompressSync, constants, createBrotliCompress, type BrotliOptions } from 'node:zlib';
import { httpEncoders, type HttpEncoder } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';

const defaultQuality = 4;

/** The module. */
export const brModule = defineModule(httpEncoders, {
  name: 'br',
  help: 'Compresses with Brotli (RFC 7932). The reference has no such encoder.',
  config: options({
    quality: integer('From 0 (fast) to 11 (small, and very slow). Default 4.', {
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

  encode(body: Buffer): Buffer {
    return brotliCompressSync(body, this.#options(body.length));
  }

  stream() {
    return createBrotliCompress(this.#options(0));
  }

  #options(size: number): BrotliOptions {
    return {
      chunkSize: size === 0 ? 32 * 1024 : Math.max(1024, Math.min(size + 64, 128 * 1024)),
      params: { [constants.BROTLI_PARAM_QUALITY]: this.#quality, [constants.BROTLI_PARAM_SIZE_HINT]: size },
    };
  }
}
