/** Global options of the app `pki`. */
import {
  compact,
  readDuration,
  readFlag,
  type Dispenser,
  type FinishConfig,
  type GlobalOption,
} from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Authorities by id. */
type Authorities = Readonly<Record<string, JsonObject>>;

const names: Readonly<Record<string, string>> = {
  name: 'name',
  root_cn: 'root_common_name',
  intermediate_cn: 'intermediate_common_name',
};
const times = ['intermediate_lifetime', 'maintenance_interval'];

/** `pki { ca [ID] { … } }` */
export const pki: GlobalOption = (reader, earlier): Authorities => {
  const authorities: Record<string, JsonObject> = { ...(earlier as Authorities | undefined) };
  for (const option of reader.block()) {
    if (option !== 'ca') throw reader.error(`unrecognized pki option '${option}'`);
    const id = reader.optionalArgument() ?? 'local';
    authorities[id] = readAuthority(reader);
  }
  return authorities;
};

function readAuthority(reader: Dispenser): JsonObject {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    const name = Object.hasOwn(names, option) ? names[option] : undefined;
    if (name !== undefined) {
      fields[name] = reader.argument();
    } else if (times.includes(option)) {
      fields[option] = readDuration(reader, reader.argument(), option);
    } else if (option === 'renewal_window_ratio') {
      fields[option] = readRatio(reader);
    } else if (option === 'root' || option === 'intermediate') {
      fields[option] = readKeyPair(reader, option);
    } else {
      throw reader.error(`unrecognized pki ca option '${option}'`);
    }
  }
  const { root, intermediate, ...rest } = fields;
  return {
    ...compact(rest),
    ...(root === undefined ? {} : { root }),
    ...(intermediate === undefined ? {} : { intermediate }),
  };
}

function readRatio(reader: Dispenser): number {
  const ratio = Number(reader.argument());
  if (ratio > 0 && ratio <= 1) return ratio;
  throw reader.error('renewal_window_ratio must be a number in (0, 1]');
}

const files: Readonly<Record<string, string>> = { cert: 'certificate', key: 'private_key', format: 'format' };

function readKeyPair(reader: Dispenser, which: string): JsonObject {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    const field = Object.hasOwn(files, option) ? files[option] : undefined;
    if (field === undefined) throw reader.error(`unrecognized pki ca ${which} option '${option}'`);
    fields[field] = reader.argument();
  }
  return compact(fields);
}

/** `skip_install_trust` */
export const skipInstallTrust: GlobalOption = (reader) => readFlag(reader);

/** Adds the app. Authorities that handlers name need not be defined, but then roots would be installed for them. */
export const finishPki: FinishConfig = (apps, options) => {
  const skip = options.has('skip_install_trust');
  const authorities: Record<string, Json> = {};
  for (const [id, authority] of Object.entries(options.get<Authorities>('pki') ?? {})) authorities[id] = authority;
  if (skip) {
    for (const id of usedAuthorities(apps)) authorities[id] ??= {};
    // Without automatic HTTPS no name needs the usual authority, unless it is used above.
    const isOff = (options.get<readonly string[]>('auto_https') ?? []).includes('off');
    if (Object.keys(authorities).length === 0 && !isOff) authorities['local'] = {};
    for (const [id, authority] of Object.entries(authorities)) {
      authorities[id] = withoutInstalling(authority as JsonObject);
    }
  }
  const sorted = Object.fromEntries(Object.entries(authorities).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (Object.keys(sorted).length > 0) apps['pki'] = { certificate_authorities: sorted };
};

function withoutInstalling({ root, intermediate, ...rest }: JsonObject): JsonObject {
  const pairs = { ...(root === undefined ? {} : { root }), ...(intermediate === undefined ? {} : { intermediate }) };
  return { ...rest, install_trust: false, ...pairs };
}

/** Ids of authorities that handlers `acme_server` and issuers `internal` name, wherever they stand. */
function usedAuthorities(value: Json): Set<string> {
  const found = new Set<string>();
  const waiting: Json[] = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    const node = each as JsonObject;
    const isServer = node['handler'] === 'acme_server';
    if (isServer || node['module'] === 'internal') {
      if (typeof node['ca'] === 'string') found.add(node['ca']);
      else if (!isServer) found.add('local');
    }
    waiting.push(...Object.values(node));
  }
  return found;
}
