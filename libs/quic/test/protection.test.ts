import { expect } from 'chai';
import { nodeCiphers, version1, version2 } from '@sluice/quic';
import { initialKeys } from '../src/crypto/keys.ts';
import { retryTag } from '../src/crypto/retry-tag.ts';
import { fullPacketNumber } from '../src/wire/packet-header.ts';

const destination = Buffer.from('8394c8f03e515708', 'hex');

describe('QUIC packet protection', () => {
  it('Keys decrypts the server Initial packet of RFC 9001 §A.3', () => {
    const packet = Buffer.from(
      'cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a' +
        '5816b6394100f37a1c69797554780bb38cc5a99f5ede4cf73c3ec2493a1839b3' +
        'dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb84' +
        '022f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc4' +
        '2158407dd074ee',
      'hex',
    );
    const keys = initialKeys(nodeCiphers, version1, destination).server('open');
    const numberAt = 18;
    const mask = keys.header.mask(packet, numberAt + 4);
    packet[0]! ^= mask[0]! & 0x0f;
    const length = (packet[0]! & 3) + 1;
    for (let i = 0; i < length; i++) packet[numberAt + i]! ^= mask[1 + i]!;
    expect(length).to.equal(2);
    expect(fullPacketNumber(packet.readUInt16BE(numberAt), 2, 0)).to.equal(1);
    const payload = numberAt + length;
    expect(keys.aead.open(1, { bytes: packet, start: 0, payload, end: packet.length - 16 })).to.equal(true);
    // The payload begins with an ACK frame, followed by a CRYPTO frame with a ServerHello.
    expect(packet.toString('hex', payload, payload + 10)).to.equal('02000000000600405a02');
  });

  // Attack in docs/security.md: Forged or damaged packets.
  it('Keys rejects a packet with a flipped bit', () => {
    const { server } = initialKeys(nodeCiphers, version2, destination);
    const bytes = Buffer.alloc(100, 7);
    const packet = { bytes, start: 0, payload: 20, end: 84 };
    server('seal').aead.seal(77, packet);
    const tag = Buffer.from(bytes.subarray(84));
    bytes[50]! ^= 1;
    expect(server('open').aead.open(77, packet)).to.equal(false);
    expect(bytes.subarray(84).equals(tag)).to.equal(true);
  });

  it('retryTag returns the tag of RFC 9001 §A.4', () => {
    const packet = Buffer.from('ff000000010008f067a5502a4262b5746f6b656e', 'hex');
    expect(retryTag(version1, destination, packet).toString('hex')).to.equal('04a265ba2eff4d829058fb3f0f2496ba');
  });

  it('retryTag returns the tag of RFC 9369 §A.4', () => {
    const packet = Buffer.from('cf6b3343cf0008f067a5502a4262b5746f6b656e', 'hex');
    expect(retryTag(version2, destination, packet).toString('hex')).to.equal('c8646ce8bfe33952d955543665dcc7b6');
  });
});
