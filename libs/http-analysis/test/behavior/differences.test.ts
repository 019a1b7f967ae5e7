import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { outcomeDifferences } from '../../src/behavior/differences.ts';
import type { Outcome } from '../../src/explain/types.ts';

/** Returns the outcome of a HEAD request for a file. */
function head(headers: JsonObject): Outcome {
  const none = { body: null, route: null, routes: [], handler: null, handler_id: null, upstream: null, sends: null };
  return {
    kind: 'response',
    status: 200,
    headers,
    size: 0,
    ...none,
    error: null,
    depends_on: [],
  } as unknown as Outcome;
}

describe('outcomeDifferences', () => {
  it('outcomeDifferences detects by ETag that different files were served, even if the responses have neither body nor Content-Length', () => {
    const { differences } = outcomeDifferences(head({ Etag: ['"a"'] }), head({ etag: ['"b"'] }));
    expect(differences).to.deep.equal([{ aspect: 'body', name: 'etag', before: ['"a"'], after: ['"b"'] }]);
  });

  it('outcomeDifferences returns no difference for the same ETag', () => {
    expect(outcomeDifferences(head({ Etag: ['"a"'] }), head({ Etag: ['"a"'] })).differences).to.deep.equal([]);
  });

  it('outcomeDifferences reports only the size if both the size and the ETag differ', () => {
    const [was, is] = ['1', '2'].map((size) => head({ Etag: [`"${size}"`], 'Content-Length': [size] })) as [
      Outcome,
      Outcome,
    ];
    expect(outcomeDifferences(was, is).differences.map(({ aspect, name }) => `${aspect} ${name}`)).to.deep.equal([
      'body size',
    ]);
  });
});
