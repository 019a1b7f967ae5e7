import { expect } from 'chai';
import { compacted, sharingTexts } from '../../src/kubernetes/shared-texts.ts';

const text =
  '{"metadata":{"name":"a","labels":{"__proto__":"x"}},"list":[{"name":"a"},null,1,true],"long":"' +
  'y'.repeat(100) +
  '"}';

describe('shared texts of Kubernetes objects', () => {
  it('sharingTexts keeps the content of an object, and does not copy the object', () => {
    const object = JSON.parse(text) as { readonly metadata: object };
    const { metadata } = object;
    expect(sharingTexts(object)).to.equal(object);
    expect(object.metadata).to.equal(metadata);
    expect(JSON.stringify(object)).to.equal(text);
  });

  it('compacted returns an equal copy of an object', () => {
    const object = JSON.parse(text) as object;
    const copy = compacted(object);
    expect(copy).not.to.equal(object);
    expect(JSON.stringify(copy)).to.equal(text);
  });
});
