/** Filters of fields as `filter`. */
import { isObject } from '@sluice/base';
import { moduleLines, type Line, type WriteModule } from '@sluice/caddyfile';
import { wrappedLines } from '../common/write-encoder.ts';

/** `filter { wrap ENCODER …; fields { FIELD FILTER … } }` */
export const writeFilter: WriteModule = async (options, writer) => {
  const { wrap, fields } = isObject(options) ? options : {};
  const lines: Line[] = [];
  for (const [option, filter] of Object.entries(isObject(fields) ? fields : {})) {
    const place = { option, namespace: 'caddy.logging.encoders.filter', key: 'filter' };
    lines.push(...(await moduleLines(place, filter, writer)));
  }
  const block = await wrappedLines('wrap', wrap, writer);
  return [{ block: lines.length === 0 ? block : [...block, { words: ['fields'], block: lines }] }];
};
