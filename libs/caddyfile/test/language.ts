/**
 * A small test language of directives, options and modules for Caddyfiles in this package's tests. Values that an app would parse word by
 * word, such as `tls`, are written as JSON. Tests can therefore inspect the assembled result.
 */
import type { Json, JsonObject } from '@sluice/base';
import type { AdaptedConfig } from '@sluice/contracts';
import { Registry } from '@sluice/registry';
import {
  adaptCaddyfile,
  asJson,
  directives,
  globalOptions,
  invokedRoutes,
  moduleObject,
  listAt,
  moduleSyntaxes,
  readLog,
  ResponseHandlers,
  subrouteHandler,
  words,
  type ConfigValue,
  type Directive,
  type DirectiveContribution,
  type DirectiveOrder,
  type DirectiveReader,
  type GlobalOption,
  type ModuleSyntax,
  type WriteDirective,
  type WriteSite,
} from '../src/index.ts';
import { contributeCore } from '../src/contribute.ts';

/** Creates a directive that produces one handler. */
const making =
  (read: (reader: DirectiveReader) => Json): Directive =>
  (reader) =>
    reader.route(reader.matcher(), read(reader));

const respond: Directive = making((reader) => {
  const [body = ''] = reader.remaining();
  return moduleObject('handler', 'static_response', body === '' ? {} : { body });
});

const header: Directive = making((reader) => {
  const [name = '', value = ''] = reader.arguments();
  return moduleObject('handler', 'headers', { [name]: value });
});

const rewrite: Directive = (reader) => {
  const match = reader.matcherBefore('a URI');
  return reader.route(match, moduleObject('handler', 'rewrite', { uri: reader.argument() }));
};

const vars: Directive = making((reader) => {
  const [name = '', value = ''] = reader.arguments();
  return moduleObject('handler', 'vars', { [name]: value });
});

const intercept: Directive = making((reader) => {
  const responses = new ResponseHandlers();
  for (const option of reader.block())
    if (!responses.read(option, reader)) throw reader.error(`unknown subdirective: ${option}`);
  return moduleObject('handler', 'intercept', { handle_response: responses.finish() });
});

const block =
  (sort: boolean): Directive =>
  (reader) => {
    const match = reader.matcher();
    return reader.route(match, subrouteHandler(reader.routes(sort)));
  };

const errors: Directive = (reader) => {
  const [status] = reader.remaining();
  const handle = [subrouteHandler(reader.routes(true))];
  const value = status === undefined ? { handle } : { match: [{ expression: status }], handle };
  return [{ pile: 'error_route', value: [value] }];
};

const invoke: Directive = (reader) => {
  const match = reader.matcher();
  const name = reader.onlyArgument();
  (reader.scope.state.get(invokedRoutes) as Set<string>).add(name);
  return reader.route(match, moduleObject('handler', 'invoke', { name }));
};

const bind: Directive = (reader) => {
  const addresses = reader.remaining();
  const protocols: string[] = [];
  for (const _protocols of reader.block()) protocols.push(...reader.arguments());
  return [{ pile: 'bind', value: { addresses, protocols } }];
};

const log: Directive = (reader) => {
  const count = reader.options.get<number>('logs') ?? 0;
  const value = readLog(reader, { global: false, count, names: [] });
  if (value.log !== null) reader.options.set('logs', count + 1);
  return [{ pile: 'custom_log', value }];
};

/**
 * Parses `tls PILE JSON`, such as `tls cert_issuer {"module":"internal"}`, and the output of the inverse conversion: `tls internal`, or a
 * block.
 */
const tls: Directive = (reader) => {
  const [pile, json] = reader.remaining();
  if (pile === 'internal') return [{ pile: 'tls.cert_issuer', value: { module: 'internal' } }];
  if (pile !== undefined && json !== undefined) return [{ pile: `tls.${pile}`, value: JSON.parse(json) as unknown }];
  const values: ConfigValue[] = [];
  const policy: Record<string, Json> = {};
  for (const option of reader.block()) {
    const [first = '', second] = reader.remaining();
    if (option === 'alpn') policy['alpn'] = [first];
    else if (option === 'protocols')
      Object.assign(policy, { protocol_min: first, ...(second && { protocol_max: second }) });
    else if (option === 'issuer') values.push({ pile: 'tls.cert_issuer', value: { module: first } });
    else values.push({ pile: `tls.${option}`, value: first === '' ? true : first });
  }
  return [...values, { pile: 'tls.connection_policy', value: policy }];
};

const ordered: readonly [name: string, order: DirectiveOrder | undefined, read: Directive][] = [
  ['vars', 'first', vars],
  ['header', { after: 'vars' }, header],
  ['rewrite', { after: 'header' }, rewrite],
  ['intercept', { after: 'rewrite' }, intercept],
  ['invoke', { before: 'handle' }, invoke],
  ['handle', 'last', block(true)],
  ['route', 'last', block(false)],
  ['respond', 'last', respond],
  ['handle_errors', undefined, errors],
  ['bind', undefined, bind],
  ['log', undefined, log],
  ['tls', undefined, tls],
  ['loose', undefined, respond],
];

/** Global options whose value is JSON, or a word that is not JSON. */
const plainOptions = [
  ...['http_port', 'https_port', 'default_bind', 'auto_https', 'servers', 'default_sni', 'fallback_sni', 'email'],
  ...['acme_ca', 'acme_ca_root', 'acme_dns', 'dns', 'acme_eab', 'preferred_chains', 'cert_lifetime', 'cert_issuer'],
  ...['local_certs', 'key_type', 'renewal_window_ratio', 'ocsp_stapling'],
];
const plain: GlobalOption = (reader) => {
  const word = reader.onlyArgument();
  return /^[\d{["]|^(?:true|null)$/.test(word) ? (JSON.parse(word) as unknown) : word;
};

/** Returns the words of all lines in a module's block. */
const wordsOf: ModuleSyntax = (reader) => {
  const list = [...reader.remaining()];
  while (reader.next()) list.push(...reader.remaining());
  return list;
};
const optionsOf: ModuleSyntax = (reader) => {
  const [first] = reader.remaining();
  return first === undefined ? {} : { name: first };
};

const syntaxes: readonly [id: string, read: ModuleSyntax][] = [
  ...['path', 'method', 'host', 'expression'].map((name): [string, ModuleSyntax] => [`http.matchers.${name}`, wordsOf]),
  ...['file', 'stderr'].map((name): [string, ModuleSyntax] => [`caddy.logging.writers.${name}`, optionsOf]),
  ...['json', 'console'].map((name): [string, ModuleSyntax] => [`caddy.logging.encoders.${name}`, optionsOf]),
  ['caddy.storage.file_system', optionsOf],
];

const oneWord =
  (field: string): WriteDirective =>
  ({ handler: _handler, ...fields }) =>
    Object.keys(fields).every((each) => each === field) ? { words: words(fields[field]) } : null;
const onePair: WriteDirective = ({ handler: _handler, ...fields }) => {
  const [[name, value] = [], ...others] = Object.entries(fields);
  return name === undefined || others.length > 0 ? null : { words: [name, ...words(value)] };
};
const inner =
  (sort: boolean): WriteDirective =>
  async ({ routes, errors: own }, writer) =>
    own === undefined ? { block: await writer.routes(routes, sort) } : null;

const inverses: readonly [name: string, handler: string, write: WriteDirective][] = [
  ['respond', 'static_response', oneWord('body')],
  ['rewrite', 'rewrite', oneWord('uri')],
  ['invoke', 'invoke', oneWord('name')],
  ['header', 'headers', onePair],
  ['vars', 'vars', onePair],
  ['handle', 'subroute', inner(true)],
  ['route', 'subroute', inner(false)],
];

/** Writes `bind HOST…` for listeners that do not listen on all hosts. */
const bound: WriteSite = ({ server }) => {
  const hosts = words(listAt(server, ['listen'])).map((address) => address.slice(0, address.lastIndexOf(':')));
  return hosts.join('') === '' ? null : [{ words: hosts }];
};

function inverseOf(name: string): Pick<DirectiveContribution, 'handler' | 'write'> {
  const [, handler, write] = inverses.find(([each]) => each === name) ?? [];
  return handler === undefined || write === undefined ? {} : { handler, write: () => Promise.resolve(write) };
}

/** Returns a registry that contains the whole test language. */
export function testRegistry(): Registry {
  const registry = new Registry();
  registry.contribute(
    directives,
    ...ordered.map(([name, order, read]): DirectiveContribution => ({
      name,
      ...(order !== undefined && { order }),
      load: () => Promise.resolve(read),
      ...(name === 'bind' && { writeSite: () => Promise.resolve(bound) }),
      ...inverseOf(name),
    })),
  );
  contributeCore(registry);
  registry.contribute(globalOptions, ...plainOptions.map((name) => ({ name, load: () => Promise.resolve(plain) })));
  registry.contribute(
    moduleSyntaxes,
    ...syntaxes.map(([name, read]) => ({
      name,
      load: () => Promise.resolve(read),
      write: () =>
        Promise.resolve((options: Json) =>
          Array.isArray(options) ? [{ words: words(options) }] : [namedWord(options)],
        ),
    })),
  );
  return registry;
}

const namedWord = (options: Json): { words: readonly string[] } => ({ words: words((options as JsonObject)['name']) });

const registry = testRegistry();

/** Adapts a Caddyfile in the test language. */
export function adapt(text: string): Promise<AdaptedConfig> {
  return adaptCaddyfile(text, registry, { file: 'Caddyfile', environment: {} });
}

/** Returns the document of a Caddyfile in the test language. */
export async function documentOf(text: string): Promise<Json> {
  return (await adapt(text)).config;
}

/** Returns the servers that a Caddyfile defines. */
export async function serversOf(text: string): Promise<Readonly<Record<string, Json>>> {
  const { apps } = (await documentOf(text)) as { apps: { http: { servers: JsonObject } } };
  return apps.http.servers;
}

/** Returns the reason why a Caddyfile is rejected, or `null` if it is accepted. */
export function problemOf(text: string): Promise<string | null> {
  return adapt(text).then(
    () => null,
    (error: Error) => error.message,
  );
}

/** Returns a handler as created by {@link respond}. */
export const responding = (body: string): Json => asJson({ body, handler: 'static_response' });
