/** Format of test case files. A single declaration provides the type, the validation and the JSON Schema. */
import { boolean, choice, duration, integer, json, map, string, Type, type Options } from '@sluice/registry';

/** Declares an object schema that rejects unknown keys. */
function closed<P extends Parameters<typeof Type.Object>[0]>(properties: P, extra: object = {}) {
  return Type.Object(properties, { ...extra, additionalProperties: false });
}

const lines = Type.Union([Type.String(), Type.Array(Type.String())]);

const body = Type.Union([Type.String(), closed({ base64: Type.String({ description: 'Base64-encoded bytes.' }) })]);

const tls = closed({
  version: string('TLS version, such as tls1.3. Default: tls1.3.'),
  cipher_suite: string('IANA name of the cipher suite. Default: TLS_AES_128_GCM_SHA256.'),
  server_name: string('Server name of the handshake (SNI). Default: the host.'),
  protocol: string('Application protocol negotiated with ALPN. Default: derived from `protocol` of the request.'),
  resumed: boolean('`true` if the handshake resumed a session.'),
  client_certificate: string('Client certificate, in PEM format. Default: none.'),
});

const request = closed({
  url: Type.String({ description: 'Absolute URL, as sent by a client; the path is sent unchanged.' }),
  method: string('Request method. Default: POST if there is a body, otherwise GET.'),
  headers: map('Header fields: a string, or a list of strings. `Host` overrides the host of the URL.', lines),
  body: Type.Optional(
    Type.Unsafe<Options<typeof body> | null>({ anyOf: [body, { type: 'null' }], description: 'Body.' }),
  ),
  protocol: choice('Protocol. Default: HTTP/2.0 over TLS, otherwise HTTP/1.1.', ['HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0']),
  client: string('Client address, with an optional port. Default: 192.0.2.1.'),
  tls: Type.Optional(
    Type.Unsafe<Options<typeof tls> | boolean | null>({
      anyOf: [tls, { type: 'boolean' }, { type: 'null' }],
      description: 'Simulated TLS properties. `false` = no TLS. Default: derived from the URL.',
    }),
  ),
  server: string("Name of the server in `apps.http.servers`. Default: the server that listens on the URL's port."),
});

/** Schema of a mock upstream's responses. */
const standIn = closed({
  status: integer('Status code. Default: 200.', { minimum: 100, maximum: 599 }),
  headers: map('Response header fields: a string, or a list of strings.', lines),
  body: Type.Optional(
    Type.Unsafe<Options<typeof body> | null>({ anyOf: [body, { type: 'null' }], description: 'Body.' }),
  ),
  delay: duration('Delay before the response starts.'),
  error: choice(
    'Failure to simulate instead of a response. `cut` = the connection is closed while the body is being sent.',
    ['refused', 'reset', 'timeout', 'cut'],
  ),
});

const upstreams = map(
  'Simulated upstreams by dial address; `*` = all other upstreams. A list contains responses to consecutive requests; the last response is repeated.',
  Type.Union([standIn, Type.Array(standIn, { minItems: 1 })]),
);

/** Conditions that a string must satisfy. */
const textual = {
  equals: string('Must equal this string.'),
  contains: string('Contains this string.'),
  matches: string('Must match this regular expression (RE2).'),
};

const field = Type.Union([
  Type.String(),
  Type.Null(),
  Type.Array(Type.String()),
  closed({ ...textual, present: boolean('`true` = must be present, with any value; `false` = must be absent.') }),
]);

const fields = (help: string) =>
  map(`${help}: the exact value, a list of all values, null if the field must be absent, or conditions.`, field);

const content = Type.Union([
  Type.String(),
  closed({ ...textual, json: json('Expected JSON value; key order and whitespace are ignored.') }),
]);

const contentOption = (help: string) =>
  Type.Optional(Type.Unsafe<Options<typeof content> | null>({ anyOf: [content, { type: 'null' }], description: help }));

const sent = closed({
  upstream: string('Dial address of the upstream.'),
  method: string('Method of the request.'),
  uri: string('Path and query.'),
  host: string('Host.'),
  headers: fields('Request header fields that the upstream received'),
  body: contentOption('Request body received.'),
});

const expected = closed({
  status: Type.Optional(
    Type.Unsafe<number | string | null>({
      anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[1-5]xx$' }, { type: 'null' }],
      description: 'Status code, or a class such as "2xx".',
    }),
  ),
  headers: fields('Response header fields'),
  body: contentOption('Response body, after decompression: the exact text, or conditions.'),
  route: Type.Optional(
    Type.Unsafe<string | null>({
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description:
        'Route that sent the response: its path in the JSON, its `@id`, the name of a named route, or a source line (`Caddyfile:12`). null = no route.',
    }),
  ),
  upstream: Type.Optional(
    Type.Unsafe<string | null>({
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'Dial address of the last upstream that received the request. null = none.',
    }),
  ),
  sent: Type.Optional(
    Type.Unsafe<Options<typeof sent> | Options<typeof sent>[] | null>({
      anyOf: [sent, { type: 'array', items: sent }, { type: 'null' }],
      description: 'Requests received by upstreams: the last one, or a list of all.',
    }),
  ),
  aborted: boolean('`true` if the connection must be closed before the response is complete.'),
});

const testCase = closed({
  name: string('Name to show in reports. Default: the method and URL.'),
  request: Type.Unsafe<Options<typeof request> | string>({
    anyOf: [{ type: 'string' }, request],
    description: 'The request, or its URL with an optional method: "POST https://example.com/x".',
  }),
  upstreams,
  expect: Type.Unsafe<Options<typeof expected>>({ ...expected, description: 'Expected result.' }),
  fresh: boolean('Run the case on a separate server, without counters or state from other cases.'),
  skip: string('Reason to skip the case.'),
});

/** Schema of a test case file. */
export const caseFileSchema = closed(
  {
    $schema: string('Schema of this file, for editors. Accepted but ignored.'),
    config: Type.Optional(
      Type.Unsafe<string | Readonly<Record<string, never>> | null>({
        anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }],
        description:
          'Configuration: a path relative to the directory of the test file, or native JSON. Default: Caddyfile or sluice.json in that directory.',
      }),
    ),
    adapter: string('Format of the configuration. Default: derived from the file name.'),
    upstreams,
    cases: Type.Array(testCase, { description: 'Test cases.' }),
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
