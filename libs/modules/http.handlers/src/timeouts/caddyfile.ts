/** `timeouts [matcher] { read_timeout TIME; write_timeout TIME }` */
import { compact, handlerDirective, moduleObject, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Makes the handler `timeouts`. */
export const timeouts = handlerDirective((reader) => {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    if (option === 'read_timeout' || option === 'write_timeout') {
      fields[option] = readTime(reader, option);
    } else {
      throw reader.error(`unrecognized timeouts subdirective '${option}'`);
    }
  }
  return moduleObject('handler', 'timeouts', compact(fields));
});

/** Days are not unit here. */
function readTime(reader: Dispenser, option: string): number {
  const text = reader.onlyArgument();
  if (text.includes('d')) throw reader.error(`parsing ${option}: time: unknown unit "d" in duration "${text}"`);
  return readDuration(reader, text, option);
}
