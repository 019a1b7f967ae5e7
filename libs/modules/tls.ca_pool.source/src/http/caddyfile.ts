/** `http URL… { endpoints URL…; tls { … } }` */
import { compact, moduleObject, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Reads the addresses. */
export function readHttp(reader: Dispenser): Json {
  const endpoints = reader.remaining();
  let tls: JsonObject | undefined;
  for (const option of reader.block()) {
    if (option === 'endpoints') {
      endpoints.push(...reader.arguments());
    } else if (option === 'tls') {
      if (tls !== undefined) throw reader.error('tls block already defined');
      tls = readTls(reader);
    } else {
      throw reader.error(`unrecognized directive: ${option}`);
    }
  }
  return { ...compact({ endpoints }), ...(tls === undefined ? {} : { tls }) };
}

function readTls(reader: Dispenser): JsonObject {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    switch (option) {
      case 'ca': {
        const name = reader.argument();
        fields['ca'] = moduleObject('provider', name, reader.module(`tls.ca_pool.source.${name}`));
        break;
      }
      case 'insecure_skip_verify':
        fields['insecure_skip_verify'] = true;
        break;
      case 'handshake_timeout':
        fields['handshake_timeout'] = readDuration(reader, reader.argument(), 'timeout');
        break;
      case 'server_name':
        fields['server_name'] = reader.argument();
        break;
      case 'renegotiation': {
        const value = reader.argument();
        if (value !== 'never' && value !== 'once' && value !== 'freely') {
          throw reader.error(`unrecognized renegotiation option: ${value}`);
        }
        fields['renegotiation'] = value;
        break;
      }
      default:
        throw reader.error(`unrecognized directive: ${option}`);
    }
  }
  return compact(fields);
}
