/** The global option `events { on EVENT HANDLER … }`. */
import { asJson, moduleObject, type FinishConfig, type GlobalOption } from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Reads subscriptions; those of one event go to one after the other. */
export const events: GlobalOption = (reader, earlier): JsonObject[] => {
  const subscriptions = [...((earlier ?? []) as readonly JsonObject[])];
  reader.remaining();
  for (const option of reader.block()) {
    if (option !== 'on') throw reader.argumentError();
    const event = reader.argument();
    const name = reader.argument();
    const handler = moduleObject('handler', name, reader.module(`events.handlers.${name}`));
    const named = event === '*' ? '' : event;
    subscriptions.push(named === '' ? { handlers: [handler] } : { events: [named], handlers: [handler] });
  }
  return subscriptions;
};

/** Adds the app. */
export const finishEvents: FinishConfig = (apps, options) => {
  const subscriptions = options.get<readonly Json[]>('events') ?? [];
  apps['events'] = subscriptions.length === 0 ? {} : { subscriptions: asJson(subscriptions) };
};
