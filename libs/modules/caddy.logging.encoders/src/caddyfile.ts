/** Caddyfile syntax for log encoders. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  dictionary,
  flag,
  module,
  moduleLines,
  moduleObject,
  none,
  quoteWord,
  scalarValue,
  scalarWord,
  syntax,
  text,
  term,
  type Block,
  type Dispenser,
  type Draft,
  type Line,
  type Syntax,
  type Term,
  type Writer,
} from '@sluice/caddyfile';
import { commonLog } from './transform/template.ts';

const within = [':8080', 'log', 'output stdout\n\t\tformat %'];
const unknown = 'unrecognized subdirective %';
const encoder = (field: string): Term => module('caddy.logging.encoders', 'format', { field, shown: '<encoder> …' });

const entryOptions: Block = {
  caller_key: text('<name>'),
  duration_format: text('<format>'),
  level_format: text('<format>'),
  level_key: text('<name>'),
  line_ending: text(),
  message_key: text('<name>'),
  name_key: text('<name>'),
  stacktrace_key: text('<name>'),
  time_format: text('<format>'),
  time_key: text('<name>'),
  time_local: flag(),
};

/** Declares an encoder that writes whole log entries. */
function entries(example: string): Syntax {
  return syntax({
    line: none,
    block: entryOptions,
    unknown: null,
    within,
    example,
  });
}

/** Returns the syntax of the `fields` dictionary. Its entries can be in a block named `fields` or directly in the outer block. */
function fieldsTerms(
  read: (reader: Dispenser, fields: Record<string, Json>, name: string) => void,
  write: (name: string, value: Json, writer: Writer) => Promise<readonly Line[]>,
  shown: Pick<Term, 'shown' | 'help' | 'module'>,
): { readonly fields: Term; readonly others: Term } {
  const readOne = (reader: Dispenser, draft: Draft, name: string): void => {
    const known = (draft.get(['fields']) ?? dictionary()) as Record<string, Json>;
    read(reader, known, name);
    draft.put(['fields'], known);
  };
  return {
    fields: {
      shown: '',
      read(reader, draft) {
        for (const name of reader.block()) readOne(reader, draft, name);
      },
      async write(option, object, writer) {
        const lines: Line[] = [];
        for (const [name, value] of Object.entries(isObject(object['fields']) ? object['fields'] : {}))
          lines.push(...(await write(name, value, writer)));
        return lines.length === 0 ? [] : [{ words: [option], block: lines }];
      },
    },
    others: { ...shown, field: 'fields', read: readOne, write: () => [] },
  };
}

const filterNamespace = 'caddy.logging.encoders.filter';

/** Merges two filters for the same field. Returns `null` if they can't be combined. */
function joined(known: JsonObject, added: JsonObject): JsonObject | null {
  const { filter: kind, ...operation } = added;
  if (kind !== 'regexp') return null;
  if (known['filter'] === 'multi_regexp')
    return { ...known, operations: [...(known['operations'] as readonly Json[]), operation] };
  if (known['filter'] !== 'regexp') return null;
  const { filter: _kind, ...first } = known;
  return moduleObject('filter', 'multi_regexp', { operations: [first, operation] });
}

const filters = fieldsTerms(
  (reader, fields, field) => {
    const name = reader.argument();
    const filter = moduleObject('filter', name, reader.module(`${filterNamespace}.${name}`));
    const known = Object.hasOwn(fields, field) ? (fields[field] as JsonObject) : null;
    const both = known === null ? filter : joined(known, filter);
    if (both === null)
      throw reader.error(
        `field ${field} already has a filter; multiple non-regexp filters per field are not supported`,
      );
    fields[field] = both;
  },
  (name, value, writer) => moduleLines({ option: name, namespace: filterNamespace, key: 'filter' }, value, writer),
  {
    shown: '<field> <filter> …',
    help: 'Filter for a field, in the same syntax as in the `fields` block. `>` selects a member of an object.',
    module: filterNamespace,
  },
);

const additions = fieldsTerms(
  (reader, fields, name) => {
    reader.argument();
    fields[name] = scalarValue(reader.token);
    reader.noArguments();
  },
  (name, value) => Promise.resolve([{ words: [quoteWord(name), scalarWord(value)], raw: true }]),
  { shown: '<name> <value>', help: 'Field to add, in the same syntax as in the `fields` block.' },
);

const words = term(
  {
    shown: '[<template>]',
    read(reader) {
      const found = reader.remaining();
      return found.length === 0 ? commonLog : found.join(' ') || undefined;
    },
  },
  { field: 'template' },
);

/**
 * A template of one or more words. As in Caddy's plugin, an empty template is omitted from the JSON options, and provisioning then reports
 * a missing template.
 */
const template: Term = {
  ...words,
  write: (option, fields, writer) =>
    fields['template'] ? words.write(option, fields, writer) : [{ words: [option, ''] }],
};

function transform(example: string): Syntax {
  return syntax({
    line: template,
    block: { ...entryOptions, placeholder: text('<text>', { takes: 'optional' }), unescape_strings: flag() },
    unknown,
    within,
    example,
  });
}

export const syntaxes = {
  console: entries('console {\n\ttime_local\n}'),
  json: entries('json {\n\ttime_format iso8601\n}'),
  logfmt: entries('logfmt'),
  filter: syntax({
    block: { wrap: encoder('wrap'), fields: filters.fields },
    others: filters.others,
    within,
    example: 'filter {\n\twrap json\n\trequest>headers>Cookie delete\n}',
  }),
  append: syntax({
    block: { wrap: encoder('wrap'), fields: additions.fields },
    others: additions.others,
    within,
    example: 'append {\n\twrap json\n\tserver eu-1\n}',
  }),
  journald: syntax({
    line: none,
    block: { wrap: encoder('wrap') },
    unknown,
    within,
    example: 'journald {\n\twrap console\n}',
  }),
  single_field: syntax({
    line: text('<field>', { field: 'field' }),
    block: { fallback: encoder('fallback') },
    unknown,
    within,
    example: 'single_field request>uri {\n\tfallback json\n}',
  }),
  transform: transform('transform "{common_log}" {\n\tplaceholder -\n}'),
  formatted: transform('formatted "{common_log}"'),
};
