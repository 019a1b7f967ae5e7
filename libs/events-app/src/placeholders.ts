/** Event placeholders, such as `{event}`, `{event.name}`, and `{event.data.host}`, together with the global placeholders. */
import { compileTemplate, resolveGlobal, type Accessor, type Resolver, type Template } from '@sluice/base';
import type { Event } from './event.ts';

export type EventTemplate = Template<Event>;

const dataPrefix = 'event.data.';

const fixed = {
  event: (event) => JSON.stringify(event),
  'event.id': ({ id }) => id,
  'event.name': ({ name }) => name,
  'event.time': ({ time }) => new Date(time).toISOString(),
  'event.time_unix': ({ time }) => Math.floor(time / 1000),
  'event.module': ({ origin }) => origin,
  'event.data': ({ data }) => JSON.stringify(data),
} satisfies Readonly<Record<string, Accessor<Event>>>;

export type EventPlaceholder = keyof typeof fixed | 'event.data.<name>';

const resolveEvent: Resolver<Event> = (name) => {
  if (name.startsWith(dataPrefix)) {
    const key = name.slice(dataPrefix.length);
    return ({ data }) => textOf(Object.hasOwn(data, key) ? data[key] : undefined);
  }
  return Object.hasOwn(fixed, name) ? fixed[name as keyof typeof fixed] : resolveGlobal(name);
};

/** Compiles a string that contains event placeholders. Unknown placeholders become empty strings. */
export function compileEventText(text: string): EventTemplate {
  return compileTemplate(text, resolveEvent, 'empty');
}

/** Formats the value of a placeholder. Arrays and objects become JSON. */
function textOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
