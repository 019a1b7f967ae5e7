/** `push [matcher] [PATH] { [METHOD] PATH; headers { … } }` */
import { compact, handlerDirective, moduleObject } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { HeaderOperations } from '../headers/header-operations.ts';

/** Makes the handler `push`. */
export const push = handlerDirective((reader) => {
  const resources: Json[] = [];
  let headers: Json | undefined;
  if (reader.nextArgument()) {
    resources.push({ target: reader.value });
    reader.noArguments();
  }
  for (const option of reader.block()) {
    if (option === 'headers') {
      reader.noArguments();
      const operations = new HeaderOperations(false);
      for (const field of reader.block()) operations.read(field, reader);
      headers = operations.json();
    } else if (reader.nextArgument()) {
      resources.push({ method: option, target: reader.value });
      reader.noArguments();
    } else {
      resources.push({ target: option });
    }
  }
  const fields = compact({ resources });
  return moduleObject('handler', 'push', headers === undefined ? fields : { ...fields, headers });
});
