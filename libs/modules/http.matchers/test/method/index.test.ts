import { expect } from 'chai';
import { expectMatches, refusal } from '../matching.ts';

const by = (method: string): object => ({ method });

describe('http.matchers.method', () => {
  it('the method matcher ignores the case of configured methods, but not of request methods', async () => {
    await expectMatches({ method: ['get', 'Purge'] }, [by('GET'), by('PURGE')], [by('get'), by('HEAD'), by('POST')]);
    await expectMatches({ method: ['GET'] }, [by('GET')], [by('HEAD'), by('get')]);
  });

  it('the method matcher matches nothing if there are no methods, or if a method is a placeholder', async () => {
    await expectMatches({ method: [] }, [], [by('GET')]);
    await expectMatches({ method: ['{http.request.method}', null] }, [], [by('GET')]);
  });

  it('the method matcher uses the rewritten method of a request', async () => {
    await expectMatches({ method: ['PUT'] }, ['/'], [], { before: [{ handler: 'rewrite', method: 'PUT' }] });
  });

  it('the method matcher rejects a string instead of a list', async () => {
    expect(await refusal({ method: 'GET' })).to.include('must be array');
  });
});
