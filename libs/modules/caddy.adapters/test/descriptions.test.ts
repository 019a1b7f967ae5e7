import { expect } from 'chai';
import {
  directives,
  formatCaddyfile,
  globalOptions,
  moduleSyntaxes,
  optionName,
  syntax,
  text,
  tokenize,
  named,
  type Description,
  type OptionDescription,
} from '@sluice/caddyfile';
import { contributeSyntaxes } from '@sluice/caddyfile/contribute';
import { adaptConfig } from '@sluice/reconciler';
import { standardRegistry } from './standard-registry.ts';

const registry = standardRegistry();
// Registers modules in namespaces that otherwise only third-party packages fill: a DNS provider and a file system.
contributeSyntaxes(registry, 'dns.providers', {
  cloudflare: () => Promise.resolve(syntax({ line: text('<token>', { field: 'api_token' }) })),
});
contributeSyntaxes(registry, 'caddy.fs', { s3: () => Promise.resolve(named()) });

function withoutHelp(options: readonly OptionDescription[] = []): string[] {
  return options.flatMap((option) => [
    ...(option.summary === '' ? [option.syntax] : []),
    ...withoutHelp(option.options),
  ]);
}

function namesOf(options: readonly OptionDescription[] = []): string[] {
  return options.flatMap((option) => [optionName(option), ...namesOf(option.options)]);
}

describe('caddy.adapters: descriptions of the Caddyfile', () => {
  const brought = new Set(['dns.providers.cloudflare', 'caddy.fs.s3']);
  for (const point of [directives, globalOptions, moduleSyntaxes]) {
    const kind = point.id.replace('syntax of ', '');
    for (const { name, describe: load } of registry
      .contributions<{
        readonly name: string;
        readonly describe?: () => Promise<Description>;
      }>(point)
      .values()) {
      if (brought.has(name)) continue;
      it(`${kind} ${name} has a description`, () => expect(load).to.be.a('function'));
      if (load === undefined) continue;
      const called = name.slice(name.lastIndexOf('.') + 1);

      it(`the example of ${kind} ${name} is formatted and adapts without an error`, async () => {
        const { example } = await load();
        expect(tokenize(example, 'Caddyfile').map(({ text }) => text)).to.include(called);
        expect(formatCaddyfile(example)).to.equal(example);
        const { config } = await adaptConfig(registry, 'caddyfile', example);
        expect(config).to.be.an('object');
      });

      it(`the syntax of ${kind} ${name} starts with its name, and all of its options have help`, async () => {
        const { syntax: forms, summary, options } = await load();
        expect(summary).to.not.equal('');
        expect(withoutHelp(options)).to.deep.equal([]);
        for (const line of forms) expect(line.split(' ')[0]).to.equal(called);
        expect(namesOf(options)).to.not.include('');
      });
    }
  }
});
