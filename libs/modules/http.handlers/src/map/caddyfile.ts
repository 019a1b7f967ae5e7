/** `map [matcher] SOURCE DESTINATION… { INPUT OUTPUT…; ~REGEXP OUTPUT…; default OUTPUT… }` */
import { compact, handlerDirective, moduleObject, scalarValue } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Makes the handler `map`. */
export const map = handlerDirective((reader) => {
  const source = reader.argument();
  const destinations = reader.remaining();
  if (destinations.length === 0) throw reader.error('missing destination argument(s)');
  const mappings: Json[] = [];
  const defaults: string[] = [];
  for (const input of reader.block()) {
    if (input === 'default') {
      if (defaults.length > 0) throw reader.error('defaults already defined');
      defaults.push(...reader.remaining());
      while (defaults.length < destinations.length) defaults.push('');
      continue;
    }
    const outputs = reader.remainingTokens().map((token) => (token.text === '-' ? null : scalarValue(token)));
    if (outputs.length > destinations.length) throw reader.error('too many outputs');
    while (outputs.length < destinations.length) outputs.push(null);
    const key = input.startsWith('~') ? { input_regexp: input.slice(1) } : { input };
    mappings.push({ ...key, outputs });
  }
  return moduleObject('handler', 'map', compact({ source, destinations, mappings, defaults }));
});
