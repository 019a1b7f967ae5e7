/** `timeouts [matcher] { read_timeout TIME; write_timeout TIME }` */
import { compact, handlerDirective, moduleObject, readDuration } from '@sluice/caddyfile';
import type { Json } from '@sluice/registry';

/** Makes the handler `timeouts`. */
export const timeouts = handlerDirective((reader) => {
  const fields: Record<string, Json> = {};
  reader.remaining();
  for (const option of reader.block()) {
    if (option === 'read_timeout' || option === 'write_timeout') {
      fields[option] = readDuration(reader, reader.onlyArgument(), option);
    } else {
      throw reader.error(`unrecognized timeouts subdirective '${option}'`);
    }
  }
  return moduleObject('handler', 'timeouts', compact(fields));
});
