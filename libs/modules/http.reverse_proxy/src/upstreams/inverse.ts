/** Sources of upstreams as `dynamic`. */
import { isArray, isObject, type Json } from '@sluice/base';
import { durationWord, optionLines, words, written, type Line, type WriteModule } from '@sluice/caddyfile';

/** `a { … }`, `srv { … }` */
export const writeSource: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const { resolver, versions } = options;
  const block: Line[] = optionLines(options, [
    ['name', 'name'],
    ['port', 'port'],
    ['service', 'service'],
    ['proto', 'proto'],
    ['refresh', 'refresh', durationWord],
    ['dial_timeout', 'dial_timeout', durationWord],
    ['dial_fallback_delay', 'dial_fallback_delay', durationWord],
    ['grace_period', 'grace_period', durationWord],
  ]);
  if (isObject(resolver)) block.push({ words: ['resolvers', ...words(resolver['addresses'])] });
  if (isObject(versions)) block.push({ words: ['versions', ...Object.keys(versions)] });
  const { name } = options;
  const inline = block.filter((line) => line.words[0] !== 'name');
  return [options['service'] === undefined && options['port'] === undefined ? written(words(name), inline) : { block }];
};

/** `multi { SOURCE … }` */
export const writeMulti: WriteModule = async (options, writer) => {
  const sources: Json | undefined = isObject(options) ? options['sources'] : undefined;
  const block: Line[] = [];
  for (const each of isArray(sources) ? sources : []) {
    const { source, ...fields } = isObject(each) ? each : {};
    block.push(...((await writer.module(`http.reverse_proxy.upstreams.${words(source).join('')}`, fields)) ?? []));
  }
  return [{ block }];
};
