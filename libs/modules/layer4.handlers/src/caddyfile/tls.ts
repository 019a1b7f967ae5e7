/** Caddyfile syntax: `tls { connection_policy { … } }` */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  block,
  flag,
  list,
  none,
  objectsIn,
  syntax,
  text,
  words,
  type Block,
  type Line,
  type Term,
} from '@sluice/caddyfile';
import { clientAuthentication } from '@sluice/tls-app';
import { inRoute } from './in-route.ts';

/** The `match { … }` block of a connection policy, with handshake matchers. */
const policyMatch: Term = {
  shown: '',
  field: 'match',
  content: 'tls.handshake_match',
  read(reader, draft) {
    const found: Record<string, Json> = {};
    for (const name of reader.block()) found[name] = reader.module(`tls.handshake_match.${name}`);
    draft.put(['match'], found);
  },
  async write(option, { match }, writer) {
    const lines: Line[] = [];
    for (const [name, options] of Object.entries(isObject(match) ? match : {})) {
      const each = await writer.module(`tls.handshake_match.${name}`, options);
      if (each === null) return null;
      lines.push(...each);
    }
    return lines.length === 0 ? [] : [{ words: [option], block: lines }];
  },
};

const policyBlock: Block = {
  alpn: list('<protocol>…', { adds: true }),
  cert_selection: block(
    {
      all_tags: list('<tag>…', { adds: true }),
      any_tag: list('<tag>…', { adds: true }),
      public_key_algorithm: text('dsa|ecdsa|rsa'),
      serial_number: list('<number>…', { adds: true }),
      subject_organization: list('<name>…', { adds: true }),
    },
    { field: 'certificate_selection' },
  ),
  ciphers: list('<cipher suite>…', { field: 'cipher_suites', adds: true }),
  client_auth: clientAuthentication,
  curves: list('<curve>…', { adds: true }),
  default_sni: text('<name>'),
  drop: flag(),
  fallback_sni: text('<name>'),
  insecure_secrets_log: text('<file>'),
  match: policyMatch,
  protocols: {
    shown: '<min> [<max>]',
    field: 'protocol_min',
    read(reader, draft) {
      const [min = '', max, ...more] = reader.remaining();
      if (min === '' || more.length > 0) throw reader.argumentError();
      draft.put(['protocol_min'], min);
      if (max !== undefined) draft.put(['protocol_max'], max);
    },
    write(option, { protocol_min: min, protocol_max: max }) {
      return min === undefined ? [] : [{ words: [option, ...words(min), ...words(max)] }];
    },
  },
};

const policy = block(policyBlock, { keep: true, unknown: "unrecognized option '%'" });

export const tls = syntax(
  inRoute('tls {\n\tconnection_policy {\n\t\talpn h2 http/1.1\n\t}\n}\nproxy 10.0.0.1:80', {
    line: none,
    block: {
      connection_policy: {
        ...policy,
        field: 'connection_policies',
        read(reader, draft, option) {
          policy.read(reader, draft, option);
          const fields = draft.get([option]) as JsonObject;
          Reflect.deleteProperty(draft.fields, option);
          draft.push(['connection_policies'], [fields]);
        },
        async write(option, { connection_policies: policies }, writer) {
          const lines: Line[] = [];
          for (const each of objectsIn(policies)) {
            const found = await policy.write(option, { [option]: each }, writer);
            if (found === null) return null;
            lines.push(...found);
          }
          return lines;
        },
      },
    },
    unknown: "unrecognized option '%'",
  }),
);
