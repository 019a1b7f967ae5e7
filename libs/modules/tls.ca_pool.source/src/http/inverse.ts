/** Certificates from a server as `http`. */
import { isObject, type JsonObject } from '@sluice/base';
import {
  durationWord,
  moduleLines,
  noWords,
  optionLines,
  words,
  written,
  type Line,
  type WriteModule,
  type Writer,
} from '@sluice/caddyfile';

/** `http URL… { tls { … } }` */
export const writeHttp: WriteModule = async (options, writer) => {
  if (!isObject(options)) return null;
  const { endpoints, tls } = options;
  return [written(words(endpoints), isObject(tls) ? [{ words: ['tls'], block: await tlsLines(tls, writer) }] : [])];
};

async function tlsLines(tls: JsonObject, writer: Writer): Promise<readonly Line[]> {
  const pool = { option: 'ca', namespace: 'tls.ca_pool.source', key: 'provider' };
  return [
    ...(await moduleLines(pool, tls['ca'], writer)),
    ...optionLines(tls, [
      ['insecure_skip_verify', 'insecure_skip_verify', noWords],
      ['handshake_timeout', 'handshake_timeout', durationWord],
      ['server_name', 'server_name'],
      ['renegotiation', 'renegotiation'],
    ]),
  ];
}
