/** Global options of the app `pki`. */
import {
  compact,
  readDuration,
  readFlag,
  tlsPiles,
  type Dispenser,
  type FinishConfig,
  type GlobalOption,
  type IssuerConfig,
  type Site,
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

/**
 * Adds the app, with the authorities that the option `pki` defines and `acme_server` names. Where no roots are to be installed,
 * the others that would be made are in it, too; those of the global option `cert_issuer` are not, as in the reference.
 */
export const finishPki: FinishConfig = (apps, options, sites) => {
  const authorities: Record<string, Json> = {};
  for (const [id, authority] of Object.entries(options.get<Authorities>('pki') ?? {})) authorities[id] = authority;
  for (const id of sites.flatMap((site) => site.pile<string>(tlsPiles.authority))) authorities[id] ??= {};
  if (options.has('skip_install_trust')) {
    // Without automatic HTTPS no name needs the usual authority, unless its site says so.
    const isOff = (options.get<readonly string[]>('auto_https') ?? []).includes('off');
    if (Object.keys(authorities).length === 0 && !isOff) authorities['local'] = {};
    for (const id of sites.flatMap(issuingAuthorities)) authorities[id] ??= {};
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

/** The authorities that the `tls` of a site has issue its certificates. */
function issuingAuthorities(site: Site): string[] {
  return site
    .pile<IssuerConfig>(tlsPiles.issuer)
    .filter(({ module }) => module === 'internal')
    .map(({ ca }) => (typeof ca === 'string' ? ca : 'local'));
}
