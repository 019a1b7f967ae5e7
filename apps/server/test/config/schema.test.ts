import { expect } from 'chai';
import { configSchema, Registry } from '@sluice/registry';
import { registerStandard } from '../../src/register-standard.ts';

interface Part {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Part>>;
}

/** Expected modules of the HTTP app, excluding proxying and TLS modules. */
const modules: Readonly<Record<string, string>> = {
  'http.authentication.hashes': 'argon2id bcrypt',
  'http.authentication.providers': 'http_basic',
  'http.encoders': 'br gzip zstd',
  'http.handlers':
    'authentication copy_response copy_response_headers encode error file_server headers intercept invoke log_append map ' +
    'metrics push request_body reverse_proxy rewrite static_response subroute templates timeouts tracing vars',
  'http.ip_sources': 'static',
  'http.matchers':
    'client_ip expression file header header_regexp host method not path path_regexp protocol query remote_ip tls ' +
    'url_pattern vars vars_regexp',
  'http.precompressed': 'br gzip zstd',
};

describe('configuration schema', () => {
  let definitions: Readonly<Record<string, Part>>;
  before(async () => {
    const registry = new Registry();
    registerStandard(registry);
    await registry.loadAll();
    definitions = configSchema(registry)['$defs'] as unknown as Readonly<Record<string, Part>>;
  });

  for (const [namespace, names] of Object.entries(modules)) {
    it(`the configuration schema contains every module of ${namespace}`, () => {
      for (const name of names.split(' ')) expect(definitions).to.have.property(`${namespace}.${name}`);
    });
  }

  it('the configuration schema describes every option', () => {
    const bare: string[] = [];
    const look = (value: unknown, where: string): void => {
      if (typeof value !== 'object' || value === null) return;
      // The keys under `properties` are option names. An option may itself be named `properties`.
      const isMap = where.endsWith('.properties') && !where.endsWith('.properties.properties');
      const { properties } = value as Part;
      if (properties !== undefined && !isMap && !where.endsWith('.if')) {
        for (const [name, option] of Object.entries(properties)) {
          // Module names and references are described together with the module.
          const { $ref: reference } = option;
          const module = reference === undefined ? undefined : definitions[reference.slice('#/$defs/'.length)];
          const help = option.description ?? module?.description ?? '';
          if (option.const === undefined && help === '') bare.push(`${where}.${name}`);
        }
      }
      for (const [key, inner] of Object.entries(value)) look(inner, `${where}.${key}`);
    };
    look(definitions, '');
    expect(bare).to.deep.equal([]);
  });
});
