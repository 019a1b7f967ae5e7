import { paceRule } from '../engine/pace.ts';
import { parseDuration } from '@sluice/base';
import { KeptNames, noKeptNames } from '@sluice/http1';
import type { Context, Options } from '@sluice/registry';
import type { serverOptions } from '../options.ts';
import type { ServerLimits } from '../engine/server-handle.ts';

const second = 1000;
const minute = 60 * second;
/** Default size limit of a request head, in bytes. As in Caddy, `headerSlack` is added to the configured or default limit. */
const defaultHeaderBytes = 16 * 1024;
const headerSlack = 4 * 1024;

/** Reads the server's limits. If a duration is invalid, throws an error that names the option. */
export function limitsOf(config: Options<typeof serverOptions>, context: Context): ServerLimits {
  const time = (
    key:
      | 'read_timeout'
      | 'read_header_timeout'
      | 'read_idle_timeout'
      | 'write_timeout'
      | 'write_idle_timeout'
      | 'idle_timeout'
      | 'keepalive_interval',
    fallback: number,
  ): number => {
    const value = config[key];
    if (value === undefined || value === null || value === 0) return fallback;
    try {
      return parseDuration(value);
    } catch (error) {
      throw context.error((error as Error).message, key);
    }
  };
  const headerBytes = config.max_header_bytes ?? 0;
  return {
    readTimeout: Math.max(0, time('read_timeout', 0)),
    readHeaderTimeout: Math.max(0, time('read_header_timeout', minute)),
    writeTimeout: Math.max(0, time('write_timeout', 0)),
    readPace: paceRule(time('read_idle_timeout', minute), config.read_min_rate),
    writePace: paceRule(time('write_idle_timeout', minute), config.write_min_rate, config.max_write_chunk),
    idleTimeout: Math.max(0, time('idle_timeout', 5 * minute)),
    keepAliveInterval: time('keepalive_interval', 15 * second),
    maxHeaderBytes: (headerBytes > 0 ? headerBytes : headerBytes < 0 ? 1024 * 1024 : defaultHeaderBytes) + headerSlack,
    fullDuplex: config.enable_full_duplex ?? false,
    keptHeaders: keptHeaders(config, context),
  };
}

/** Returns the names of header fields that are kept even though they contain underscores or dots. Other such fields are dropped. */
function keptHeaders(config: Options<typeof serverOptions>, context: Context): KeptNames {
  const kept: string[] = [];
  for (const [key, sign] of [
    ['expected_underscore_headers', '_'],
    ['expected_dot_headers', '.'],
  ] as const) {
    for (const [index, name] of (config[key] ?? []).entries()) {
      if (!name.includes(sign))
        throw context.error(
          `${JSON.stringify(name)} does not contain "${sign}"; remove the entry, because fields without "${sign}" are always kept`,
          key,
          index,
        );
      if (!/^[-!#$%&'+.^_`|~\w]+\*?$/.test(name))
        throw context.error(
          `${JSON.stringify(name)} is not a header field name; "*" is allowed only at the end`,
          key,
          index,
        );
      kept.push(name.toLowerCase());
    }
  }
  return kept.length === 0 ? noKeptNames : new KeptNames(kept);
}
