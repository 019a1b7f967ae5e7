/** `file_server` and `try_files`. */
import {
  compact,
  handlerDirective,
  moduleObject,
  readInteger,
  weakField,
  type DirectiveReader,
} from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Precompressed formats where none are named. */
const formats = ['br', 'zstd', 'gzip'];

/** `file_server [matcher] [browse] { … }`. The Caddyfile itself is never served. */
export const fileServer = handlerDirective((reader) => {
  const fields: Record<string, Json> = {};
  const hide: string[] = [];
  const words = reader.remaining();
  if (words.length > 1 || (words.length === 1 && words[0] !== 'browse')) throw reader.argumentError();
  if (words[0] === 'browse') fields['browse'] = {};
  for (const option of reader.block()) readOption(option, reader, fields, hide);
  const { file } = reader.scope.assembly;
  const self = file === '' ? 'Caddyfile' : file;
  const hidden = self.includes('/') ? self : `./${self}`;
  if (!hide.includes(hidden)) hide.push(hidden);
  const { fs = '', root = '', ...others } = fields;
  return moduleObject('handler', 'file_server', { ...compact({ fs, root }), ...others, hide });
});

function readOption(option: string, reader: DirectiveReader, fields: Record<string, Json>, hide: string[]): void {
  switch (option) {
    case 'fs':
      if (fields['fs'] !== undefined) throw reader.error('file system already specified');
      fields['fs'] = reader.argument();
      break;
    case 'root':
      fields[option] = reader.argument();
      break;
    case 'hide':
      hide.push(...reader.arguments());
      break;
    case 'index':
      fields['index_names'] = reader.arguments();
      break;
    case 'browse':
      if (fields['browse'] !== undefined) throw reader.error('browsing is already configured');
      fields['browse'] = readBrowse(reader);
      break;
    case 'precompressed': {
      const words = reader.remaining();
      const order = words.length === 0 ? formats : words;
      for (const name of order) reader.bareModule(`http.precompressed.${name}`);
      const known = (fields['precompressed'] ?? {}) as JsonObject;
      fields['precompressed'] = { ...known, ...Object.fromEntries(order.map((name) => [name, {}])) };
      fields['precompressed_order'] = order;
      break;
    }
    case 'status':
      Object.assign(fields, weakField('status_code', reader.argument()));
      break;
    case 'disable_canonical_uris':
      reader.noArguments();
      fields['canonical_uris'] = false;
      break;
    case 'pass_thru':
      reader.noArguments();
      fields['pass_thru'] = true;
      break;
    case 'etag_file_extensions':
      fields['etag_file_extensions'] = reader.arguments();
      break;
    default:
      throw reader.error(`unknown subdirective '${option}'`);
  }
}

function readBrowse(reader: DirectiveReader): Json {
  const fields: Record<string, Json> = { template_file: reader.optionalArgument() ?? '' };
  for (const option of reader.block()) {
    if (option === 'reveal_symlinks') {
      if (fields[option] !== undefined) throw reader.error('Symlinks path reveal is already enabled');
      fields[option] = true;
    } else if (option === 'sort')
      fields['sort'] = [...((fields['sort'] ?? []) as readonly Json[]), ...readSort(reader)];
    else if (option === 'file_limit') {
      const limit = readInteger(reader, reader.argument(), option);
      if (fields[option] !== undefined) throw reader.error('file_limit is already enabled');
      fields[option] = limit;
    } else throw reader.error(`unknown subdirective '${option}'`);
  }
  return compact(fields);
}

const sortOptions = ['name', 'namedirfirst', 'size', 'time', 'asc', 'desc'];

function readSort(reader: DirectiveReader): string[] {
  const words = reader.remaining();
  for (const word of words) if (!sortOptions.includes(word)) throw reader.error(`unknown sort option '${word}'`);
  return words;
}
