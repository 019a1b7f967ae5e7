import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeText, isTemplateError, sprig, TextTemplate } from '../src/index.ts';
import { fixturesFolder, pageName, type Fixture } from './tools/fixture.ts';

/** Time zones have abbreviations only if the system provides a time zone database. */
const hasZones = existsSync('/usr/share/zoneinfo/Europe/Berlin');

function render(template: string): string {
  try {
    const parsed = TextTemplate.parse(pageName, template, { functions: sprig, missingKey: 'zero' });
    return Buffer.from(encodeText(parsed.execute(undefined))).toString('base64');
  } catch (error) {
    if (!isTemplateError(error)) throw error;
    return error.message;
  }
}

function expected({ output, outputBase64, error, ours }: Fixture): string {
  if (ours !== undefined) return ours.startsWith('template: ') ? ours : Buffer.from(ours).toString('base64');
  return error ?? outputBase64 ?? Buffer.from(output ?? '').toString('base64');
}

describe('reference templates', () => {
  const zone = process.env['TZ'];
  before(() => {
    process.env['TZ'] = 'UTC';
  });
  after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  for (const file of readdirSync(fixturesFolder)) {
    describe(file.replace('.json', ''), () => {
      for (const fixture of JSON.parse(readFileSync(join(fixturesFolder, file), 'utf8')) as Fixture[]) {
        it(`the template result ${fixture.differs === undefined ? 'agrees with' : 'differs from'} the reference for ${fixture.template}`, function () {
          if (file === 'zones.json' && !hasZones) this.skip();
          expect(render(fixture.template)).to.equal(expected(fixture));
        });
      }
    });
  }
});
