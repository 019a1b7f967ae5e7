/** `copy_response [matcher] [STATUS] { status STATUS }` */
import { compact, handlerDirective, moduleObject, weakValue } from '@sluice/caddyfile';

/** Makes the handler `copy_response`. */
export const copyResponse = handlerDirective((reader) => {
  const words = reader.remaining();
  if (words.length > 1) throw reader.argumentError();
  let [status = ''] = words;
  for (const option of reader.block()) {
    if (option !== 'status') throw reader.error(`unrecognized subdirective '${option}'`);
    status = reader.onlyArgument();
  }
  return moduleObject('handler', 'copy_response', compact({ status_code: weakValue(status) }));
});
