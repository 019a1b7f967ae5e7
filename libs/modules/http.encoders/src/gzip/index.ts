/** `http.encoders.gzip`: gzip (RFC 1952), which every client understands. */
import { constants, createGzip, gzipSync, type ZlibOptions } from 'node:zlib';
import { httpEncoders, type HttpEncoder } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';

/** Gives what the reference makes with its default, in size and time. */
const defaultLevel = 4;

/** The module. */
export const gzipModule = defineModule(httpEncoders, {
  name: 'gzip',
  help: 'Compresses with gzip (RFC 1952).',
  config: options({
    level: integer(
      'From 1 (fast) to 9 (small); -1 leaves it to zlib, -2 uses Huffman coding alone, -3 is the fastest. Default 4, also for 0.',
      { minimum: -3, maximum: 9, default: defaultLevel },
    ),
  }),
  provision: (config) => new Gzip(config.level ?? defaultLevel),
});

class Gzip implements HttpEncoder {
  readonly coding = 'gzip';
  readonly flushKind = constants.Z_SYNC_FLUSH;
  readonly #options: ZlibOptions;

  constructor(level: number) {
    this.#options =
      level === -2
        ? { level: 1, strategy: constants.Z_HUFFMAN_ONLY }
        : { level: level === -3 ? 1 : level === 0 ? defaultLevel : level };
  }

  encode(body: Buffer): Buffer {
    return gzipSync(body, { ...this.#options, chunkSize: outputSize(body.length) });
  }

  stream() {
    return createGzip({ ...this.#options, chunkSize: 32 * 1024 });
  }
}

/** Room for the output in one piece, so that nothing has to be put together. */
function outputSize(length: number): number {
  return Math.max(1024, Math.min(length + 64, 128 * 1024));
}
