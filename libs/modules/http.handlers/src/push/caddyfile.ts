/** The directive `push [matcher] [PATH] { [METHOD] PATH; headers { … } }`. */
import { compact, handler, note, objectAt, objectsIn, words } from '@sluice/caddyfile';
import { HeaderOperations, operationLines } from '../headers/header-operations.ts';

const methods = ['GET', 'HEAD'];

export const push = handler('push', {
  line: {
    ...note('[<resource>]', ''),
    read(reader, draft) {
      if (reader.nextArgument()) draft.push(['resources'], [compact({ target: reader.value })]);
    },
  },
  others: {
    ...note('[<method>] <resource>', 'Additional resource to push.'),
    read(reader, draft, first) {
      const resource = methods.includes(first) ? { method: first, target: reader.argument() } : { target: first };
      draft.push(['resources'], [compact(resource)]);
    },
    write: (_option, { resources }) =>
      objectsIn(resources).map(({ method = [], target = [] }) => ({ words: words([method, target]) })),
  },
  block: {
    headers: {
      ...note('', 'Header fields for pushed requests, in the syntax of `request_header`.'),
      read(reader, draft) {
        reader.noArguments();
        const operations = new HeaderOperations(false);
        for (const field of reader.block()) operations.read(field, reader);
        draft.put(['headers'], operations.json());
      },
      write: (option, { headers }) =>
        headers === undefined ? [] : [{ words: [option], block: operationLines(objectAt(headers, [])) }],
    },
  },
  help: 'Announces resources for HTTP/2 server push. Accepted but ignored, because browsers no longer support server push.',
  example: 'push / /style.css\nfile_server',
});
