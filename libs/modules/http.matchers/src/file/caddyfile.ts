/** `file [FILE…] { root PATH; try_files FILE…; try_policy NAME; split_path SUFFIX… }` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine } from '../common/words.ts';

/** Reads the options. */
export function readFile(reader: Dispenser): Json {
  const files: string[] = [];
  let splitPath: string[] = [];
  const fields: Record<string, Json> = {};
  eachLine(reader, () => {
    files.push(...reader.remaining());
    for (const option of reader.block()) {
      if (option === 'root' || option === 'try_policy') fields[option] = reader.argument();
      else if (option === 'try_files') files.push(...reader.arguments());
      else if (option === 'split_path') splitPath = reader.arguments();
      else throw reader.error(`unrecognized subdirective: ${option}`);
    }
  });
  return compact({ ...fields, try_files: files, split_path: splitPath });
}
