/** Caddyfile global option `events { on EVENT HANDLER … }`. */
import type { JsonObject } from '@sluice/base';
import {
  ignored,
  module,
  moduleLines,
  objectsIn,
  option,
  readModule,
  words,
  type FinishConfig,
  type Line,
  type Term,
} from '@sluice/caddyfile';

/** Declares `on EVENT HANDLER …`. Handlers for the same event run sequentially. */
const on: Term = {
  ...module('events.handlers', 'handler', { field: 'handlers', shown: '<event> <handler> …' }),
  help: 'Event handler with its options. `*` = all events.',
  read(reader, draft) {
    const event = reader.argument();
    const handler = readModule(reader, 'events.handlers', 'handler', reader.argument());
    const events = event === '*' || event === '' ? {} : { events: [event] };
    draft.push(['subscriptions'], [{ ...events, handlers: [handler] }]);
  },
  async write(name, fields, writer) {
    const lines: Line[] = [];
    for (const { events, handlers } of objectsIn(fields['subscriptions'])) {
      const [option = '*'] = words(events);
      lines.push(...(await moduleLines({ option, namespace: 'events.handlers', key: 'handler' }, handlers, writer)));
    }
    return lines.map((line) => ({ ...line, words: [name, ...line.words] }));
  },
};

export const events = option({
  at: 'apps.events',
  joins: true,
  line: ignored,
  block: { on },
  unknown: null,
  help: 'Runs handlers when the server emits events, such as `cert_obtained` or `tls_get_certificate`. Can be repeated.',
  example: 'events {\n\ton cert_obtained exec systemctl reload postfix\n}',
});

export const finishEvents: FinishConfig = (apps, options) => {
  apps['events'] = options.get<JsonObject>('events') ?? {};
};
