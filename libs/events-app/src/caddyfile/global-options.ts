/** The global option `events { on EVENT HANDLER … }`. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  asJson,
  listAt,
  module,
  moduleLines,
  option,
  valueAt,
  words,
  type FinishConfig,
  type Line,
  readModule,
} from '@sluice/caddyfile';

/** Subscriptions; those of one event go to one after the other. */
export const events = option(
  {
    at: 'apps.events.subscriptions',
    block: {
      on: {
        ...module('events.handlers', 'handler', { field: 'handlers', shown: '<event> <handler> …' }),
        help: 'Handler module with its options. `*` = all events.',
      },
    },
    help: 'Runs handlers for server events, such as `cert_obtained` or `tls_get_certificate`. Can be repeated.',
    example: 'events {\n\ton cert_obtained exec systemctl reload postfix\n}',
  },
  {
    read(reader, earlier): JsonObject[] {
      const subscriptions = [...((earlier ?? []) as readonly JsonObject[])];
      reader.remaining();
      for (const each of reader.block()) {
        if (each !== 'on') throw reader.argumentError();
        const event = reader.argument();
        const name = reader.argument();
        const handler = readModule(reader, 'events.handlers', 'handler', name);
        const named = event === '*' ? '' : event;
        subscriptions.push(named === '' ? { handlers: [handler] } : { events: [named], handlers: [handler] });
      }
      return subscriptions;
    },
    async write(document, writer) {
      const block: Line[] = [];
      for (const each of listAt(document, ['apps', 'events', 'subscriptions'])) {
        const { events: names, handlers } = isObject(each) ? each : {};
        const [event = '*'] = words(names);
        const place = { option: event, namespace: 'events.handlers', key: 'handler' };
        const lines = await moduleLines(place, handlers, writer);
        block.push(...lines.map((line) => ({ ...line, words: ['on', ...line.words] })));
      }
      if (block.length > 0) return [{ block }];
      return isObject(valueAt(document, ['apps', 'events'])) ? [{}] : null;
    },
  },
);

/** Adds the app. */
export const finishEvents: FinishConfig = (apps, options) => {
  const subscriptions = options.get<readonly Json[]>('events') ?? [];
  apps['events'] = subscriptions.length === 0 ? {} : { subscriptions: asJson(subscriptions) };
};
