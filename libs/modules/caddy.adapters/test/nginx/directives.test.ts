import { expect } from 'chai';
import { knownDirectives } from '../../src/nginx/directives/known.ts';
import { refusals } from '../../src/nginx/directives/refusals.ts';
import { adapterOf } from '../adapting.ts';

const { adapt, errorOf } = adapterOf('nginx');

describe('proxy_set_header', () => {
  const proxied = (fields: string): string =>
    `http {\n server {\n listen 80;\n location / {\n${fields}\n proxy_pass http://127.0.0.1:9;\n }\n }\n}`;

  it('proxy_set_header sends every value of a repeated field, regardless of letter case', async () => {
    const { config, warnings } = await adapt(proxied('proxy_set_header X-A 1;\nproxy_set_header x-a 2;'));
    expect(JSON.stringify(config)).to.contain('"X-A":["1","2"]').and.not.contain('"x-a"');
    expect(warnings).to.deep.equal([]);
  });

  it('proxy_set_header sends only the last of several Host values, and causes a warning', async () => {
    const { config, warnings } = await adapt(proxied('proxy_set_header Host a;\nproxy_set_header Host b;'));
    expect(JSON.stringify(config)).to.contain('"Host":["b"]');
    expect(warnings.map(({ line, message }) => `${line}: ${message}`)).to.deep.equal([
      '6: duplicate proxy_set_header Host: nginx sends both, Sluice sends the last one',
    ]);
  });
});

describe('nginx directives in docs/reference/nginx.md', () => {
  for (const { directive, when, example } of refusals)
    it(`the nginx directive ${directive} is rejected if ${when}`, async () => {
      const { message } = await errorOf(`http {\n server {\n ${example}\n }\n}`);
      expect(message).to.match(new RegExp(`line 3: .*(?:${directive}|regular expression|address)`));
    });

  it('every unsupported nginx directive in docs/reference/nginx.md causes a warning that states the consequence', async () => {
    const lost = [...knownDirectives].filter(([, rule]) => rule.consequence !== undefined && rule.in.includes('http'));
    const body = lost.map(([name, { opaque }]) => (opaque === true ? `${name} { }` : `${name} on;`)).join('\n');
    const { warnings } = await adapt(`http {\n${body}\n}`);
    for (const [i, [name, { consequence = '' }]] of lost.entries()) {
      const said = warnings.filter(({ line }) => line === i + 2).map(({ message }) => message);
      expect(said.join(), name).to.contain(consequence.replace('it has no effect: ', '')).and.to.contain(name);
    }
  });

  it('every nginx directive is either supported, unsupported or rejected', () => {
    expect([...knownDirectives.values()].filter(({ consequence }) => consequence === undefined)).to.have.length.above(
      90,
    );
    for (const { directive } of refusals)
      expect(directive === 'include' || knownDirectives.get(directive)?.consequence === undefined, directive).to.equal(
        true,
      );
  });
});
