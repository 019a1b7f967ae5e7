import { expect } from 'chai';
import { readEndpoint } from '@sluice/store-clients';

describe('readEndpoint', () => {
  it('readEndpoint parses hosts with and without a port', () => {
    expect(readEndpoint('a.example:1', 9)).to.deep.equal({ host: 'a.example', port: 1 });
    expect(readEndpoint('a.example', 9)).to.deep.equal({ host: 'a.example', port: 9 });
    expect(readEndpoint('10.0.0.1:65535', 9)).to.deep.equal({ host: '10.0.0.1', port: 65_535 });
  });

  it('readEndpoint parses IPv6 addresses, in brackets if there is a port', () => {
    expect(readEndpoint('[::1]:1', 9)).to.deep.equal({ host: '::1', port: 1 });
    expect(readEndpoint('[::1]', 9)).to.deep.equal({ host: '::1', port: 9 });
    expect(readEndpoint('fd00::1:2', 9)).to.deep.equal({ host: 'fd00::1:2', port: 9 });
  });
});
