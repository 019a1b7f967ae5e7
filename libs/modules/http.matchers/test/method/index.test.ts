import { expect } from 'chai';
import { expectMatches, refusal } from '../matching.ts';

const by = (method: string): object => ({ method });

describe('http.matchers.method', () => {
  it('takes methods in any case, but those of requests as they are', async () => {
    await expectMatches({ method: ['get', 'Purge'] }, [by('GET'), by('PURGE')], [by('get'), by('HEAD'), by('POST')]);
    await expectMatches({ method: ['GET'] }, [by('GET')], [by('HEAD'), by('get')]);
  });

  it('matches nothing without methods, or with a placeholder', async () => {
    await expectMatches({ method: [] }, [], [by('GET')]);
    await expectMatches({ method: ['{http.request.method}', null] }, [], [by('GET')]);
  });

  it('sees the method as rewritten before', async () => {
    await expectMatches({ method: ['PUT'] }, ['/'], [], { before: [{ handler: 'rewrite', method: 'PUT' }] });
  });

  it('refuses a text instead of a list', async () => {
    expect(await refusal({ method: 'GET' })).to.include('must be array');
  });
});
