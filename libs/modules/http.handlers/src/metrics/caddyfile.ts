/** `metrics [matcher] { disable_openmetrics }` */
import { compact, handlerDirective, moduleObject } from '@sluice/caddyfile';

/** Makes the handler `metrics`. */
export const metrics = handlerDirective((reader) => {
  reader.noArguments();
  let disabled = false;
  for (const option of reader.block()) {
    if (option !== 'disable_openmetrics') throw reader.error(`unrecognized subdirective ${JSON.stringify(option)}`);
    disabled = true;
  }
  return moduleObject('handler', 'metrics', compact({ disable_openmetrics: disabled }));
});
