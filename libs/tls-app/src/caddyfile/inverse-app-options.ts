/** Global options that set fields of the app `tls`, written again. */
import { isObject, type Json } from '@sluice/base';
import {
  durationWord,
  listAt,
  moduleLines,
  valueAt,
  words,
  written,
  type Line,
  type WriteGlobalOption,
} from '@sluice/caddyfile';

type Write = (value: Json) => readonly string[] | null;

const field =
  (path: readonly string[], write: Write): WriteGlobalOption =>
  (document) => {
    const value = valueAt(document, ['apps', 'tls', ...path]);
    const said = value === undefined ? null : write(value);
    return said === null ? null : [{ words: said }];
  };

const off: Write = (value) => (value === true ? ['off'] : null);

/** `storage_clean_interval TIME | off` */
const storageCleanInterval: WriteGlobalOption = (document, writer) =>
  valueAt(document, ['apps', 'tls', 'disable_storage_clean']) === true
    ? [{ words: ['off'] }]
    : field(['automation', 'storage_clean_interval'], durationWord)(document, writer);

/** `on_demand_tls { ask URL }`, or another permission. */
const onDemandTls: WriteGlobalOption = async (document, writer) => {
  const permission = valueAt(document, ['apps', 'tls', 'automation', 'on_demand', 'permission']);
  if (!isObject(permission)) return null;
  const { module, endpoint, ...others } = permission;
  const isAsked = module === 'http' && Object.keys(others).length === 0;
  const option = { option: 'permission', namespace: 'tls.permission', key: 'module' };
  const block = isAsked ? [{ words: ['ask', ...words(endpoint)] }] : await moduleLines(option, permission, writer);
  return [{ block }];
};

const provider = { option: 'dns', namespace: 'dns.providers', key: 'name' };

/** `dns PROVIDER …` */
const dns: WriteGlobalOption = async (document, writer) => {
  const lines = await moduleLines(provider, valueAt(document, ['apps', 'tls', 'dns']), writer);
  return lines.map((line) => ({ ...line, words: line.words.slice(1) }));
};

/** `ech NAME… { dns PROVIDER … }` */
const ech: WriteGlobalOption = async (document, writer) => {
  const path = ['apps', 'tls', 'encrypted_client_hello'];
  const names = listAt(document, [...path, 'configs']).flatMap((each) => words(valueAt(each, ['public_name'])));
  if (names.length === 0) return null;
  const lines: Line[] = [];
  for (const each of listAt(document, [...path, 'publication'])) {
    lines.push(...(await moduleLines(provider, valueAt(each, ['publishers', 'dns', 'provider']), writer)));
  }
  return [written(names, lines)];
};

/** By name of the option. */
export const appOptionWriters: Readonly<Record<string, WriteGlobalOption>> = {
  on_demand_tls: onDemandTls,
  ocsp_interval: field(['automation', 'ocsp_interval'], durationWord),
  renew_interval: field(['automation', 'renew_interval'], durationWord),
  storage_clean_interval: storageCleanInterval,
  ocsp_stapling: field(['disable_ocsp_stapling'], off),
  storage_check: field(['disable_storage_check'], off),
  tls_resolvers: field(['resolvers'], words),
  dns,
  ech,
};
