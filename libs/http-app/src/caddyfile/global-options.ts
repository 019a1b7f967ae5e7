/** Global options of the app `http`. */
import {
  asJson,
  compact,
  readDuration,
  type Binding,
  type Dispenser,
  type FinishConfig,
  type GlobalOption,
} from '@sluice/caddyfile';
import { isObject, type Json, type JsonObject } from '@sluice/base';

function readPort(reader: Dispenser): number {
  const text = reader.argument();
  reader.noArguments();
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw reader.error(
    `converting port '${text}' to integer value: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

/** `http_port NUMBER`, `https_port NUMBER` */
export const port: GlobalOption = readPort;

/** `grace_period TIME`, `shutdown_delay TIME` */
export const duration: GlobalOption = (reader) => {
  const what = reader.value;
  return readDuration(reader, reader.argument(), what);
};

/** `default_sni NAME`, `fallback_sni NAME` */
export const text: GlobalOption = (reader) => reader.lastArgument();

/** `error_pages on|off`: ours alone; `servers` has it as well. */
export const errorPages: GlobalOption = (reader) => readErrorPages(reader);

/** Reads what follows `error_pages`. */
export function readErrorPages(reader: Dispenser): string {
  const value = reader.onlyArgument();
  if (value === 'on' || value === 'off') return value;
  throw reader.error(`error_pages must be 'on' or 'off', got '${value}'`);
}

const modes = ['off', 'disable_redirects', 'disable_certs', 'ignore_loaded_certs'];

/** `auto_https MODE…` */
export const autoHttps: GlobalOption = (reader) => {
  const words = reader.arguments();
  if (words.every((word) => modes.includes(word))) return words;
  throw reader.error(`auto_https must be one of 'off', 'disable_redirects', 'disable_certs', or 'ignore_loaded_certs'`);
};

/** `default_bind ADDRESS… { protocols NAME… }` adds up. */
export const defaultBind: GlobalOption = (reader, earlier): Binding[] => {
  const addresses = reader.remaining();
  const protocols: string[] = [];
  for (const option of reader.block()) {
    if (option !== 'protocols') throw reader.error(`unknown subdirective: ${option}`);
    protocols.push(...reader.arguments());
  }
  return [...((earlier ?? []) as readonly Binding[]), { addresses, protocols }];
};

/** `metrics { per_host; observe_catchall_hosts; otlp }` */
export const metrics: GlobalOption = (reader) => readMetrics(reader, ['per_host', 'observe_catchall_hosts', 'otlp']);

/** Reads the block of `metrics`, which has flags of these names. */
export function readMetrics(reader: Dispenser, flags: readonly string[]): JsonObject {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    if (!flags.includes(option)) throw reader.error(`unrecognized metrics option '${option}'`);
    reader.noArguments();
    fields[option] = true;
  }
  return fields;
}

/** `filesystem NAME MODULE { … }` adds up. */
export const filesystem: GlobalOption = (reader, earlier): Json[] => {
  const name = reader.argument();
  const backend = reader.argument();
  const options = reader.module(`caddy.fs.${backend}`);
  const fileSystem = { ...(isObject(options) ? options : {}), backend };
  return [...((earlier ?? []) as readonly Json[]), { name, file_system: fileSystem }];
};

/** Puts the fields of the app around its servers. */
export const finishHttp: FinishConfig = (apps, options) => {
  const { http } = apps;
  if (http === undefined || !isObject(http)) return;
  const first = compact({
    http_port: options.get<number>('http_port') ?? 0,
    https_port: options.get<number>('https_port') ?? 0,
    grace_period: options.get<number>('grace_period') ?? 0,
    shutdown_delay: options.get<number>('shutdown_delay') ?? 0,
    error_pages: options.get<string>('error_pages') ?? '',
  });
  const shared = options.get<JsonObject>('metrics');
  apps['http'] = { ...first, ...http, ...(shared === undefined ? {} : { metrics: shared }) };
};

/** Adds the app of file systems. */
export const finishFileSystems: FinishConfig = (apps, options) => {
  apps['caddy.filesystems'] = { filesystems: asJson(options.get<readonly Json[]>('filesystem') ?? []) };
};
