/** Templates as `templates`. */
import { isObject } from '@sluice/base';
import { optionLines, written, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `templates { … }` */
export const templates: WriteDirective = async (handler, writer) => {
  const block = optionLines(handler, [
    ['mime', 'mime_types'],
    ['between', 'delimiters'],
    ['root', 'file_root'],
  ]);
  const { match } = handler;
  const functions: Line[] = [];
  for (const [name, options] of Object.entries(isObject(match) ? match : {})) {
    functions.push(...((await writer.module(`http.handlers.templates.functions.${name}`, options)) ?? []));
  }
  if (functions.length > 0) block.push({ words: ['extensions'], block: functions });
  return written([], block);
};
