import { expect } from 'chai';
import { placeOf } from '../../src/s3/address.ts';
import { listedIn, reasonIn } from '../../src/s3/documents.ts';

const address = {
  endpoint: new URL('https://s3.example:9000'),
  bucket: 'b',
  region: 'r',
  insecure: false,
  credentials: null,
};

describe('S3 object addresses', () => {
  it('an S3 object address contains the bucket in the path or the host', () => {
    const key = "a b/c'+é";
    const path = '/a%20b/c%27%2B%C3%A9';
    expect(placeOf({ ...address, pathStyle: true }, key)).to.deep.equal({ host: 's3.example:9000', path: `/b${path}` });
    expect(placeOf({ ...address, pathStyle: false }, key)).to.deep.equal({ host: 'b.s3.example:9000', path });
    expect(placeOf({ ...address, pathStyle: true }, '').path).to.equal('/b');
    expect(placeOf({ ...address, pathStyle: false }, '').path).to.equal('/');
  });
});

describe('S3 documents', () => {
  it('an S3 listing contains keys, directories and the continuation token', () => {
    const text = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><Contents><Key>a%2Bb+c</Key><Size>1</Size></Contents>
<CommonPrefixes><Prefix>d/</Prefix></CommonPrefixes><NextContinuationToken>t&amp;u</NextContinuationToken></ListBucketResult>`;
    expect(listedIn(text)).to.deep.equal({ keys: ['a+b c'], folders: ['d/'], next: 't&u' });
    const plain = '<ListBucketResult><Contents><Key>b%_&amp;+</Key></Contents></ListBucketResult>';
    expect(listedIn(plain).keys).to.deep.equal(['b%_&+']);
    expect(listedIn('<ListBucketResult/>')).to.deep.equal({ keys: [], folders: [], next: null });
  });

  it('reasonIn returns the code and message of an S3 error document, or an empty string for other bodies', () => {
    expect(reasonIn('<Error><Code>X</Code><Message>y</Message></Error>')).to.equal('X: y');
    for (const text of ['', '<html>', '<Error>']) expect(reasonIn(text), text).to.equal('');
  });
});
