/** The module `http.encoders.gzip`, which compresses responses with gzip (RFC 1952). All clients support gzip. */
import { constants, createGzip, type Gzip, type ZlibOptions } from 'node:zlib';
import { httpEncoders, type HttpEncoder } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';
import type { ReusableStream } from '../common/stream-pool.ts';
import { WholeBodies } from '../common/whole-bodies.ts';

/** Default compression level. In size and speed, it is close to Caddy's default. */
const defaultLevel = 4;

export const gzipModule = defineModule(httpEncoders, {
  name: 'gzip',
  help: 'Compresses with gzip (RFC 1952).',
  config: options({
    level: integer(
      'Compression level from 1 (fast) to 9 (smallest output). -1 = zlib default, -2 = Huffman coding only, -3 = same as 1. Default: 4; 0 also means 4.',
      { minimum: -3, maximum: 9, default: defaultLevel },
    ),
  }),
  provision(config, context) {
    const encoder = new GzipEncoder(config.level ?? defaultLevel);
    context.onDispose(() => encoder.close());
    return encoder;
  },
});

class GzipEncoder implements HttpEncoder {
  readonly coding = 'gzip';
  readonly flushKind = constants.Z_SYNC_FLUSH;
  readonly #options: ZlibOptions;
  readonly #bodies: WholeBodies;

  constructor(level: number) {
    this.#options =
      level === -2
        ? { level: 1, strategy: constants.Z_HUFFMAN_ONLY }
        : { level: level === -3 ? 1 : level === 0 ? defaultLevel : level };
    this.#bodies = new WholeBodies(() => this.#whole(), constants.Z_FINISH);
  }

  encode(body: Buffer): Buffer | Promise<Buffer> {
    return this.#bodies.encode(body);
  }

  encodeAtOnce(body: Buffer): Buffer | null {
    return this.#bodies.encodeAtOnce(body);
  }

  stream(): Gzip {
    return createGzip({ ...this.#options, chunkSize: 32 * 1024 });
  }

  close(): void {
    this.#bodies.close();
  }

  /** Creates a stream that encodes one complete body per write. Node's types declare `reset` only for other zlib streams. */
  #whole(): Gzip & ReusableStream {
    return createGzip({ ...this.#options, flush: constants.Z_FINISH, chunkSize: 64 * 1024 }) as Gzip & ReusableStream;
  }
}
