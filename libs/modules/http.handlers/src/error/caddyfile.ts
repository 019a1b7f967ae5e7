/** `error [matcher] STATUS | MESSAGE [STATUS] { message TEXT }` */
import { compact, handlerDirective, moduleObject, weakField } from '@sluice/caddyfile';

/** Makes the handler `error`. */
export const error = handlerDirective((reader) => {
  const words = reader.remaining();
  if (words.length === 0 || words.length > 2) throw reader.argumentError();
  const [first = '', second] = words;
  const onlyStatus = second === undefined && /^\d{3}$/.test(first);
  let message = onlyStatus ? '' : first;
  const status = onlyStatus ? first : (second ?? '');
  for (const option of reader.block()) {
    if (option !== 'message') throw reader.error(`unrecognized subdirective '${option}'`);
    if (message !== '') throw reader.error('message already specified');
    message = reader.onlyArgument();
  }
  return moduleObject('handler', 'error', { ...compact({ error: message }), ...weakField('status_code', status) });
});
