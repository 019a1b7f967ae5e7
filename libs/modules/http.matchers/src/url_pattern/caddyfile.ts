/** `url_pattern PATTERN { base_url URL; ignore_case }` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine } from '../common/words.ts';

/** Reads the pattern; that of the last line holds. */
export function readUrlPattern(reader: Dispenser): Json {
  const fields: Record<string, Json> = {};
  eachLine(reader, () => {
    const words = reader.remaining();
    if (words.length !== 1) throw reader.error('expected exactly one URL pattern');
    fields['pattern'] = words[0] ?? '';
    for (const option of reader.block()) {
      if (option === 'base_url') {
        fields['base_url'] = reader.onlyArgument();
      } else if (option === 'ignore_case') {
        reader.noArguments();
        fields['ignore_case'] = true;
      } else {
        throw reader.error(`unrecognized subdirective: ${option}`);
      }
    }
  });
  return compact(fields);
}
