/** `request_body [matcher] { max_size SIZE; set TEXT }` */
import { compact, handlerDirective, moduleObject, readSize } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Makes the handler `request_body`. */
export const requestBody = handlerDirective((reader) => {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    if (option === 'max_size') fields['max_size'] = readSize(reader, reader.onlyArgument(), 'max_size');
    else if (option === 'set') fields['set'] = reader.onlyArgument();
    else throw reader.error(`unrecognized request_body subdirective '${option}'`);
  }
  return moduleObject('handler', 'request_body', compact(fields));
});
