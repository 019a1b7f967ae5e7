/** `http.encoders.zstd`: Zstandard (RFC 8878). */
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib';
import { httpEncoders, type HttpEncoder } from '@sluice/http-app';
import { boolean, choice, defineModule, options } from '@sluice/registry';

/** Levels of Zstandard by the names that the reference has for them. */
const levels = { fastest: 1, default: 3, better: 7, best: 11 } as const;
type LevelName = keyof typeof levels;
const levelNames = Object.keys(levels) as LevelName[];

/** Clients need not support windows larger than 8 MiB (RFC 9659). */
const windowLog = 23;

/** The module. */
export const zstdModule = defineModule(httpEncoders, {
  name: 'zstd',
  help: 'Compresses with Zstandard (RFC 8878, RFC 9659).',
  config: options({
    level: choice('How small: fastest, default, better or best.', levelNames, { default: 'default' }),
    checksum: boolean('Append a checksum of the content. Default true.', { default: true }),
  }),
  provision: (config) => new Zstandard(levels[config.level ?? 'default'], config.checksum ?? true),
});

class Zstandard implements HttpEncoder {
  readonly coding = 'zstd';
  readonly flushKind = constants.ZSTD_e_flush;
  readonly #params: Readonly<Record<number, number>>;

  constructor(level: number, checksum: boolean) {
    this.#params = {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_checksumFlag]: checksum ? 1 : 0,
    };
  }

  encode(body: Buffer): Buffer {
    return zstdCompressSync(body, {
      params: { ...this.#params },
      chunkSize: Math.max(1024, Math.min(body.length + 64, 128 * 1024)),
    });
  }

  stream() {
    return createZstdCompress({
      params: { ...this.#params, [constants.ZSTD_c_windowLog]: windowLog },
      chunkSize: 32 * 1024,
    });
  }
}
