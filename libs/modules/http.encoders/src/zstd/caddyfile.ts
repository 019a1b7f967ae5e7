/** `zstd [LEVEL] { level LEVEL; disable_checksum }` */
import { compact, defined, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const levels = ['fastest', 'better', 'best', 'default'];

/** Reads the level. */
export function readZstd(reader: Dispenser): Json {
  let level = reader.nextArgument() ? checked(reader) : '';
  let checksum: boolean | undefined;
  reader.noArguments();
  for (const option of reader.block()) {
    if (option === 'level') {
      if (level !== '') throw reader.error('compression level already specified');
      reader.argument();
      level = checked(reader);
    } else if (option === 'disable_checksum') {
      if (checksum !== undefined) throw reader.error('checksum already specified');
      reader.noArguments();
      checksum = false;
    } else {
      throw reader.error(`unknown subdirective '${option}'`);
    }
  }
  return { ...compact({ level }), ...defined({ checksum }) };
}

function checked(reader: Dispenser): string {
  if (levels.includes(reader.value)) return reader.value;
  throw reader.error("unexpected compression level, use one of 'fastest', 'better', 'best', 'default'");
}
