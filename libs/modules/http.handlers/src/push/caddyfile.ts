/** `push [matcher] [PATH] { [METHOD] PATH; headers { … } }` */
import { isArray, isObject, type Json } from '@sluice/base';
import {
  compact,
  handler,
  handlerDirective,
  type Line,
  moduleObject,
  note,
  words,
  type WriteDirective,
  written,
} from '@sluice/caddyfile';
import { HeaderOperations } from '../headers/header-operations.ts';
import { operationLines } from '../headers/caddyfile.ts';

const methods = ['GET', 'HEAD'];

/** Makes the handler `push`. */
const readPush = handlerDirective((reader) => {
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

/** `push { [METHOD] PATH; headers { … } }` */
const writePush: WriteDirective = ({ resources, headers }) => {
  const block = (isArray(resources) ? resources : []).map(resourceLine);
  if (isObject(headers)) block.push({ words: ['headers'], block: operationLines(headers) });
  return written([], block);
};

function resourceLine(resource: Json): Line {
  const { method, target } = isObject(resource) ? resource : {};
  return { words: [...words(method), ...words(target)] };
}

export const push = handler(
  'push',
  {
    shown: ['[<resource>]'],
    help: 'Announces resources for HTTP/2 server push. Accepted for compatibility but ignored, because browsers no longer support it.',
    block: {
      '[<method>]': note('<resource>', 'Additional resources.'),
      headers: note('', 'Header fields of pushed requests, in the syntax of `request_header`.'),
    },
    example: 'push / /style.css\nfile_server',
  },
  { directive: readPush, write: writePush },
);
