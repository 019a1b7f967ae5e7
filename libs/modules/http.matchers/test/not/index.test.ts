import { expect } from 'chai';
import { expectResponses, expectMatches, refusal } from '../matching.ts';

const posted = (path: string): object => ({ method: 'POST', path });

describe('http.matchers.not', () => {
  it('the not matcher matches if none of its sets matches', async () => {
    await expectMatches({ not: [{ path: ['/a*'] }] }, ['/b'], ['/a']);
    await expectMatches({ not: [{ path: ['/a*'] }, { method: ['POST'] }] }, ['/b'], ['/a', posted('/b'), posted('/a')]);
    await expectMatches({ not: [{ path: ['/a*'], method: ['POST'] }] }, ['/a', posted('/b')], [posted('/a')]);
    await expectMatches({ not: [{ path: ['/a/x'] }], path: ['/a/*'] }, ['/a/y'], ['/a/x', '/b']);
  });

  it('the not matcher matches if there are no sets, and does not match if a set is empty', async () => {
    await expectMatches({ not: [] }, ['/'], []);
    await expectMatches({ not: [{}] }, [], ['/']);
    await expectMatches({ not: [null] }, [], ['/']);
  });

  it('not matchers can be nested', () => expectMatches({ not: [{ not: [{ path: ['/a'] }] }] }, ['/a'], ['/b']));

  it('the not matcher waits for asynchronous matchers', async () => {
    const file = { file: { root: import.meta.dirname, try_files: ['*.test.ts'] } };
    await expectMatches({ not: [{ path: ['/b'] }, file] }, [], ['/a', '/b']);
    await expectMatches({ not: [file, { path: ['/b'] }] }, [], ['/a', '/b']);
    const none = { file: { root: import.meta.dirname, try_files: ['*.none'] } };
    await expectMatches({ not: [none, { path: ['/b'] }] }, ['/a'], ['/b']);
  });

  it('the not matcher keeps captures of negated matchers', async () => {
    const set = { not: [{ not: [{ path_regexp: { name: 'n', pattern: '^/(x)' } }] }] };
    await expectResponses(set, [['/x', 'x']], { body: '{http.regexp.n.1}' });
  });

  it('the not matcher rejects a value that is not a list of sets', async () => {
    expect(await refusal({ not: { path: ['/a'] } })).to.include('must be array');
    expect(await refusal({ not: [1] })).to.include('not');
    expect(await refusal({ not: [{ nope: 1 }] })).to.include('http.matchers.nope');
  });
});
