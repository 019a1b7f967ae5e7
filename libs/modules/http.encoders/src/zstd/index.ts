/** The module `http.encoders.zstd`, which compresses responses with Zstandard (RFC 8878). */
import { constants, createZstdCompress, type ZstdCompress, type ZstdOptions } from 'node:zlib';
import { httpEncoders, type HttpEncoder } from '@sluice/http-app';
import { boolean, defineModule, options, string } from '@sluice/registry';
import type { ReusableStream } from '../common/stream-pool.ts';
import { WholeBodies } from '../common/whole-bodies.ts';

/** Zstandard compression levels, keyed by Caddy's level names. */
const levels: ReadonlyMap<string, number> = new Map([
  ['fastest', 1],
  ['default', 3],
  ['better', 7],
  ['best', 11],
]);

/** Maximum window size, as a power of two. Clients are not required to support windows larger than 8 MiB (RFC 9659). */
const windowLog = 23;

export const zstdModule = defineModule(httpEncoders, {
  name: 'zstd',
  help: 'Compresses with Zstandard (RFC 8878, RFC 9659).',
  config: options({
    level: string('Compression level, case-insensitive: fastest, default, better or best.', { default: 'default' }),
    checksum: boolean('Append a checksum of the content. Default: true.', { default: true }),
  }),
  provision(config, context) {
    const level = levels.get((config.level || 'default').toLowerCase());
    if (level === undefined)
      throw context.error(
        `${JSON.stringify(config.level)} is not a valid level; use one of ${[...levels.keys()].join(', ')}`,
        'level',
      );
    const encoder = new ZstandardEncoder(level, config.checksum ?? true);
    context.onDispose(() => encoder.close());
    return encoder;
  },
});

class ZstandardEncoder implements HttpEncoder {
  readonly coding = 'zstd';
  readonly flushKind = constants.ZSTD_e_flush;
  readonly #params: Readonly<Record<number, number>>;
  readonly #bodies: WholeBodies;

  constructor(level: number, checksum: boolean) {
    this.#params = {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: windowLog,
      [constants.ZSTD_c_checksumFlag]: checksum ? 1 : 0,
    };
    this.#bodies = new WholeBodies(() => this.#whole(), constants.ZSTD_e_end);
  }

  encode(body: Buffer): Buffer | Promise<Buffer> {
    return this.#bodies.encode(body);
  }

  encodeAtOnce(body: Buffer): Buffer | null {
    return this.#bodies.encodeAtOnce(body);
  }

  stream(): ZstdCompress {
    return this.#create({ chunkSize: 32 * 1024 });
  }

  close(): void {
    this.#bodies.close();
  }

  /** Creates a stream that encodes one complete body per write. */
  #whole(): ZstdCompress & ReusableStream {
    return this.#create({ flush: constants.ZSTD_e_end, chunkSize: 64 * 1024 }) as ZstdCompress & ReusableStream;
  }

  #create(options: ZstdOptions): ZstdCompress {
    return createZstdCompress({ ...options, params: { ...this.#params } });
  }
}
