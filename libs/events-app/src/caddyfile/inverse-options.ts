/** Subscriptions as the global option `events`. */
import { isObject } from '@sluice/base';
import { listAt, moduleLines, valueAt, words, type Line, type WriteGlobalOption } from '@sluice/caddyfile';

/** `events { on EVENT HANDLER … }` */
export const events: WriteGlobalOption = async (document, writer) => {
  const block: Line[] = [];
  for (const each of listAt(document, ['apps', 'events', 'subscriptions'])) {
    const { events: names, handlers } = isObject(each) ? each : {};
    const [event = '*'] = words(names);
    const lines = await moduleLines({ option: event, namespace: 'events.handlers', key: 'handler' }, handlers, writer);
    block.push(...lines.map((line) => ({ ...line, words: ['on', ...line.words] })));
  }
  if (block.length > 0) return [{ block }];
  return isObject(valueAt(document, ['apps', 'events'])) ? [{}] : null;
};
