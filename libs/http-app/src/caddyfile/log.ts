/** `log [NAME] { … }`: access logs of a site. */
import { readLog, type ConfigValue, type DirectiveReader } from '@sluice/caddyfile';

const counter = 'logs of sites';

/** Adds a log to the site; one without a name is numbered through the file. */
export function log(reader: DirectiveReader): readonly ConfigValue[] {
  const count = reader.options.get<number>(counter) ?? 0;
  const named = readLog(reader, { global: false, count, names: [] });
  if (named.log !== null && named.name === `log${count}`) reader.options.set(counter, count + 1);
  return [{ pile: 'custom_log', value: named }];
}
