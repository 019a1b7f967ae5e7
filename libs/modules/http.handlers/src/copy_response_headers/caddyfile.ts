/** `copy_response_headers [matcher] { include FIELD…; exclude FIELD… }` */
import { compact, handlerDirective, moduleObject } from '@sluice/caddyfile';

/** Makes the handler `copy_response_headers`. */
export const copyResponseHeaders = handlerDirective((reader) => {
  if (reader.remaining().length > 0) throw reader.argumentError();
  const include: string[] = [];
  const exclude: string[] = [];
  for (const option of reader.block()) {
    if (option === 'include') include.push(...reader.remaining());
    else if (option === 'exclude') exclude.push(...reader.remaining());
    else throw reader.error(`unrecognized subdirective '${option}'`);
  }
  return moduleObject('handler', 'copy_response_headers', compact({ include, exclude }));
});
