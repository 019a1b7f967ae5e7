/** Rate limits as `rate_limit`. */
import { isArray, isObject, type JsonObject } from '@sluice/base';
import {
  durationWord,
  moduleLines,
  noWords,
  optionLines,
  type Line,
  type WriteDirective,
  type Writer,
} from '@sluice/caddyfile';

/** `rate_limit { zone NAME { … }; … }` */
export const rateLimit: WriteDirective = async (handler, writer) => {
  const { rate_limits: zones, distributed, storage } = handler;
  const block: Line[] = [];
  for (const [name, zone] of Object.entries(isObject(zones) ? zones : {})) {
    const lines = isObject(zone) ? await zoneLines(zone, writer) : null;
    if (lines === null) return null;
    block.push({ words: ['zone', name], block: lines });
  }
  if (isObject(distributed))
    block.push({
      words: ['distributed'],
      block: optionLines(distributed, [
        ['read_interval', 'read_interval', durationWord],
        ['write_interval', 'write_interval', durationWord],
        ['purge_age', 'purge_age', durationWord],
      ]),
    });
  block.push(
    ...(await moduleLines({ option: 'storage', namespace: 'caddy.storage', key: 'module' }, storage, writer)),
    ...optionLines(handler, [
      ['jitter', 'jitter'],
      ['sweep_interval', 'sweep_interval', durationWord],
      ['when_full', 'when_full'],
      ['log_key', 'log_key', noWords],
      ['disable_metrics', 'disable_metrics', noWords],
      ['headers', 'headers', noWords],
    ]),
  );
  return { block };
};

async function zoneLines(zone: JsonObject, writer: Writer): Promise<Line[] | null> {
  const { match } = zone;
  const lines: Line[] = [];
  for (const set of isArray(match) ? match : []) {
    const matchers = isObject(set) ? await writer.matchers(set) : null;
    if (matchers === null) return null;
    lines.push({ words: ['match'], block: matchers });
  }
  return [
    ...lines,
    ...optionLines(zone, [
      ['key', 'key'],
      ['window', 'window', durationWord],
      ['events', 'max_events'],
      ['ipv4_prefix', 'ipv4_prefix'],
      ['ipv6_prefix', 'ipv6_prefix'],
      ['memory', 'memory'],
    ]),
  ];
}
