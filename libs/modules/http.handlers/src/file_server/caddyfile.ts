/** The directive `file_server [matcher] [browse] { … }`. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  block,
  flag,
  handler,
  integer,
  list,
  text,
  weak,
  words,
  writeFields,
  type HandlerGrammar,
  type Term,
} from '@sluice/caddyfile';

const formats = ['br', 'zstd', 'gzip'];
const sortOptions = ['name', 'namedirfirst', 'size', 'time', 'asc', 'desc'];

/** The argument `browse` on the first line, which enables listings with default options. */
const browseWord: Term = {
  shown: '[browse]',
  field: '',
  read(reader, draft) {
    const found = reader.remaining();
    if (found.length > 1 || (found.length === 1 && found[0] !== 'browse')) throw reader.argumentError();
    if (found.length === 1) draft.put(['browse'], {}, true);
  },
  write: (option, { browse }) => (isBare(browse) ? [{ words: [option, 'browse'] }] : []),
};

function isBare(browse: Json | undefined): boolean {
  return isObject(browse) && Object.keys(browse).length === 0;
}

const browseBlock = block(
  {
    reveal_symlinks: flag({ takes: 'lax', once: 'Symlinks path reveal is already enabled' }),
    sort: list('<field> [asc|desc]', {
      adds: true,
      empty: true,
      each(reader, option) {
        if (sortOptions.includes(option)) return option;
        throw reader.error(`unknown sort option '${option}'`);
      },
    }),
    file_limit: integer('<count>', { takes: 'more', again: 'file_limit is already enabled' }),
  },
  {
    line: text('[<template>]', { field: 'template_file', takes: 'optional' }),
    once: 'browsing is already configured',
    unknown: "unknown subdirective '%'",
  },
);

/** `precompressed [FORMAT…]` */
const precompressed: Term = {
  shown: '[<format>…]',
  help: 'Serves precompressed sidecar files, such as `x.gz` for `x`, if the client accepts the format. Formats are preferred in the given order.',
  read(reader, draft) {
    const found = reader.remaining();
    const order = found.length === 0 ? formats : found;
    for (const name of order) reader.bareModule(`http.precompressed.${name}`);
    const known = (draft.get(['precompressed']) ?? {}) as JsonObject;
    draft.put(['precompressed'], { ...known, ...Object.fromEntries(order.map((name) => [name, {}])) });
    draft.put(['precompressed_order'], order);
  },
  write: (option, { precompressed_order: order }) =>
    order === undefined ? [] : [{ words: [option, ...words(order)] }],
};

const hide = list('<path>…', { adds: true });
/** Returns the path of the Caddyfile, which is never served. */
const own = (file: string): string => (file.includes('/') ? file : `./${file === '' ? 'Caddyfile' : file}`);

const grammar = {
  line: browseWord,
  block: {
    fs: text('<name>', { takes: 'more', once: 'file system already specified' }),
    root: text('<path>', { takes: 'more' }),
    index: list('<name>…', { field: 'index_names' }),
    status: weak('<status>', { field: 'status_code', takes: 'more' }),
    disable_canonical_uris: flag({
      field: 'canonical_uris',
      value: false,
      help: 'Disables redirects that add or remove a trailing slash.',
    }),
    pass_thru: flag(),
    etag_file_extensions: list('<extension>…'),
    hide: {
      ...hide,
      write: (option, handler, { file }) => {
        const others = words(handler['hide']).filter((each) => each !== own(file));
        return others.length === 0 ? [] : [{ words: [option, ...others] }];
      },
    },
    precompressed,
    browse: {
      ...browseBlock,
      write: (option, handler, writer) => (isBare(handler['browse']) ? [] : browseBlock.write(option, handler, writer)),
    },
  },
  unknown: "unknown subdirective '%'",
  help: 'Serves files from the site root. `browse` enables listings for directories without an index file.',
  example: 'root /srv/www\nfile_server {\n\thide .git\n\tprecompressed br gzip\n}',
  finish(fields, reader) {
    const hidden = words(fields['hide']);
    const self = own(reader.scope.assembly.file);
    return { ...fields, hide: hidden.includes(self) ? hidden : [...hidden, self] };
  },
} satisfies HandlerGrammar;

export const fileServer = handler('file_server', grammar, {
  /** The Caddyfile is hidden automatically when the output is parsed, so it is omitted here. */
  async write(found, writer) {
    const line = await writeFields(grammar, found, writer);
    const hidden = words(found['hide']);
    const self = own(writer.file);
    return line === null || hidden.includes(self) ? line : { ...line, instead: { ...found, hide: [...hidden, self] } };
  },
});
