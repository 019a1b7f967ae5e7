/** `pino TARGET { option NAME VALUE; max_queue SIZE }` */
import { readSize, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const bytesOfMegabyte = 2 ** 20;

/** Reads the target and its options; a value that is JSON is taken as such, any other as a text. */
export function readPino(reader: Dispenser): Json {
  const target = reader.onlyArgument();
  const options: Record<string, Json> = {};
  let queue: number | null = null;
  for (const option of reader.block()) {
    if (option === 'option') {
      const [name, value, ...rest] = reader.arguments();
      if (name === undefined || value === undefined || rest.length > 0)
        throw reader.error('option takes a name and a value');
      options[name] = valueOf(value);
    } else if (option === 'max_queue') {
      queue = Math.ceil(readSize(reader, reader.onlyArgument(), 'size') / bytesOfMegabyte);
    } else throw reader.error(`unrecognized subdirective '${option}'`);
  }
  return {
    target,
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...(queue === null ? {} : { max_queue_mb: queue }),
  };
}

function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
