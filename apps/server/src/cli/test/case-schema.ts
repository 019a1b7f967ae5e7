/** What a file of test cases holds: type, check and JSON Schema in one. */
import { boolean, choice, duration, integer, json, map, string, Type, type Options } from '@sluice/registry';

/** An object without unknown keys. */
function closed<P extends Parameters<typeof Type.Object>[0]>(properties: P, extra: object = {}) {
  return Type.Object(properties, { ...extra, additionalProperties: false });
}

const lines = Type.Union([Type.String(), Type.Array(Type.String())]);

const body = Type.Union([Type.String(), closed({ base64: Type.String({ description: 'Bytes, as base64.' }) })]);

const tls = closed({
  version: string('Such as tls1.3, which is the default.'),
  cipher_suite: string('Its IANA name. Default TLS_AES_128_GCM_SHA256.'),
  server_name: string('Name of the handshake (SNI). Default: the host.'),
  protocol: string('Negotiated by ALPN. Default: as `protocol` of the request says.'),
  resumed: boolean('Whether the handshake continued a session.'),
  client_certificate: string('Certificate of the client, as PEM. Default: none was shown.'),
});

const request = closed({
  url: Type.String({ description: 'Absolute, as a client writes it: the path is sent as it stands.' }),
  method: string('Default GET, or POST where there is a body.'),
  headers: map('Header fields: a text, or several lines. A `Host` here replaces that of the URL.', lines),
  body: Type.Optional(
    Type.Unsafe<Options<typeof body> | null>({ anyOf: [body, { type: 'null' }], description: 'Body.' }),
  ),
  protocol: choice('Default HTTP/2.0 over TLS, else HTTP/1.1.', ['HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0']),
  client: string('Address of the client, with its port or without. Default 192.0.2.1.'),
  tls: Type.Optional(
    Type.Unsafe<Options<typeof tls> | boolean | null>({
      anyOf: [tls, { type: 'boolean' }, { type: 'null' }],
      description: 'Facts of the TLS connection; none is made. `false`: plain text. Default: as the URL says.',
    }),
  ),
  server: string('Name of the server in apps.http.servers. Default: the one that listens on the port of the URL.'),
});

/** What stands in for an upstream, for one request or more. */
const standIn = closed({
  status: integer('Default 200.', { minimum: 100, maximum: 599 }),
  headers: map('Header fields of the response: a text, or several lines.', lines),
  body: Type.Optional(
    Type.Unsafe<Options<typeof body> | null>({ anyOf: [body, { type: 'null' }], description: 'Body.' }),
  ),
  delay: duration('How long the response takes to begin.'),
  error: choice('In place of a response. `cut`: the connection breaks when the body is sent.', [
    'refused',
    'reset',
    'timeout',
    'cut',
  ]),
});

const upstreams = map(
  'What stands in for upstreams, by dial address; `*` for all others. A list: for the first request, the second, and so on; the last one stays.',
  Type.Union([standIn, Type.Array(standIn, { minItems: 1 })]),
);

/** What a text has to be. */
const textual = {
  equals: string('The same text.'),
  contains: string('A part of it.'),
  matches: string('A regular expression (RE2) that finds something in it.'),
};

const field = Type.Union([
  Type.String(),
  Type.Null(),
  Type.Array(Type.String()),
  closed({ ...textual, present: boolean('`true`: it is there, whatever it says; `false`: it is not.') }),
]);

const fields = (help: string) =>
  map(`${help}: a text that it equals, a list of its lines, null if it must be absent, or conditions.`, field);

const content = Type.Union([
  Type.String(),
  closed({ ...textual, json: json('The JSON that it is; the order of keys and spaces do not matter.') }),
]);

const contentOption = (help: string) =>
  Type.Optional(Type.Unsafe<Options<typeof content> | null>({ anyOf: [content, { type: 'null' }], description: help }));

const sent = closed({
  upstream: string('Dial address that it went to.'),
  method: string('Its method.'),
  uri: string('Path and query.'),
  host: string('Host.'),
  headers: fields('Header fields that arrived'),
  body: contentOption('The body that arrived.'),
});

const expected = closed({
  status: Type.Optional(
    Type.Unsafe<number | string | null>({
      anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[1-5]xx$' }, { type: 'null' }],
      description: 'Status, or a class such as "2xx".',
    }),
  ),
  headers: fields('Header fields of the response'),
  body: contentOption('Body of the response, decoded where it is compressed: a text that it equals, or conditions.'),
  route: Type.Optional(
    Type.Unsafe<string | null>({
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description:
        'The route that ended it: its path in the JSON, its @id, the name of a named route, or a line of the file (`Caddyfile:12`). null: no route.',
    }),
  ),
  upstream: Type.Optional(
    Type.Unsafe<string | null>({
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'Dial address of the upstream that the request went to last. null: to none.',
    }),
  ),
  sent: Type.Optional(
    Type.Unsafe<Options<typeof sent> | Options<typeof sent>[] | null>({
      anyOf: [sent, { type: 'array', items: sent }, { type: 'null' }],
      description: 'What arrived at upstreams: the last request, or a list of all of them.',
    }),
  ),
  aborted: boolean('Whether the connection is cut before the response is complete.'),
});

const testCase = closed({
  name: string('What reports call it. Default: method and URL.'),
  request: Type.Unsafe<Options<typeof request> | string>({
    anyOf: [{ type: 'string' }, request],
    description: 'The request, or its URL, with a method before it or without: "POST https://example.com/x".',
  }),
  upstreams,
  expect: Type.Unsafe<Options<typeof expected>>({ ...expected, description: 'What becomes of it.' }),
  fresh: boolean('Whether it gets a server of its own, where nothing is counted or kept of other cases.'),
  skip: string('Why it does not run now.'),
});

/** A file of cases. */
export const caseFileSchema = closed(
  {
    $schema: string('Accepted, no effect: it tells editors what may be written here.'),
    config: Type.Optional(
      Type.Unsafe<string | Readonly<Record<string, never>> | null>({
        anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }],
        description:
          'The configuration: a file, from the folder of this one, or native JSON. Default: Caddyfile or sluice.json beside it.',
      }),
    ),
    adapter: string('Format of the configuration. Default: as the name of the file says.'),
    upstreams,
    cases: Type.Array(testCase, { description: 'The cases.' }),
  },
  { title: 'Test cases of a Sluice configuration' },
);

export type CaseFile = Options<typeof caseFileSchema>;
export type CaseOptions = Options<typeof testCase>;
export type RequestOptions = Options<typeof request>;
export type StandInOptions = Options<typeof standIn>;
export type ExpectedOptions = Options<typeof expected>;
export type SentOptions = Options<typeof sent>;
export type FieldOptions = Options<typeof field>;
export type ContentOptions = Options<typeof content>;
