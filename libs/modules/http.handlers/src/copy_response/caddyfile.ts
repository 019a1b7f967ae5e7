/** `copy_response [matcher] [STATUS] { status STATUS }` */
import {
  handler,
  handlerDirective,
  moduleObject,
  note,
  weakField,
  words,
  type WriteDirective,
} from '@sluice/caddyfile';

/** Makes the handler `copy_response`. A status on the first line must be a number, and wins; the reference ignores others. */
const readCopyResponse = handlerDirective((reader) => {
  const words = reader.remaining();
  const isStatus = words.length === 1 && /^\+?0*[1-9]\d*$/.test(words[0] ?? '');
  let status = isStatus ? (words[0] ?? '') : '';
  if (!isStatus && words.length > 0)
    reader.modules.warn(reader.token, 'copy_response: a non-numeric status has no effect');
  // As in the reference, the block is not read beside a status on the first line.
  if (isStatus && reader.opensBlock)
    reader.modules.warn(reader.token, 'copy_response: a block in addition to a status has no effect');
  for (const option of isStatus ? [] : reader.block()) {
    if (option !== 'status') throw reader.error(`unrecognized subdirective '${option}'`);
    status = reader.onlyArgument();
  }
  return moduleObject('handler', 'copy_response', weakField('status_code', status));
});

/** `copy_response [STATUS]` */
const writeCopyResponse: WriteDirective = (handler) => ({ words: words(handler['status_code']) });

export const copyResponse = handler(
  'copy_response',
  {
    shown: ['[<status>]'],
    help: 'Writes the upstream response, optionally with another status. Only valid in `handle_response` of a proxy.',
    block: { status: note('<status>', 'Status code.') },
    example:
      'reverse_proxy localhost:9000 {\n\t@missing status 404\n\thandle_response @missing {\n\t\tcopy_response 410\n\t}\n}',
  },
  { directive: readCopyResponse, write: writeCopyResponse },
);
