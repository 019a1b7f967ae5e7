/** `push [matcher] [PATH] { [METHOD] PATH; headers { … } }` */
import { compact, handlerDirective, moduleObject } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { HeaderOperations } from '../headers/header-operations.ts';

const methods = ['GET', 'HEAD'];

/** Makes the handler `push`. */
export const push = handlerDirective((reader) => {
  const resources: Json[] = [];
  let headers: Json | undefined;
  if (reader.nextArgument()) {
    resources.push(compact({ target: reader.value }));
  }
  for (const option of reader.block()) {
    if (option === 'headers') {
      reader.noArguments();
      const operations = new HeaderOperations(false);
      for (const field of reader.block()) operations.read(field, reader);
      headers = operations.json();
    } else if (methods.includes(option)) {
      resources.push(compact({ method: option, target: reader.argument() }));
    } else {
      resources.push(compact({ target: option }));
    }
  }
  return moduleObject('handler', 'push', compact({ resources, headers }));
});
