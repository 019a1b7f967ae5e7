import { expect } from 'chai';
import fc from 'fast-check';
import { ByteReader } from '../src/wire/byte-reader.ts';
import { ByteWriter, varintSize } from '../src/wire/byte-writer.ts';
import { fullPacketNumber, packetNumberLength } from '../src/wire/packet-header.ts';
import { RangeSet } from '../src/wire/range-set.ts';
import {
  decodeTransportParameters,
  defaultTransportParameters,
  encodeTransportParameters,
} from '../src/wire/transport-parameters.ts';

describe('ByteWriter.varint', () => {
  it('ByteWriter.varint writes the examples of RFC 9000 §A.1', () => {
    const examples: readonly [number, string][] = [
      [494_878_333, '9d7f3e7d'],
      [15_293, '7bbd'],
      [37, '25'],
    ];
    for (const [value, hex] of examples) {
      const writer = new ByteWriter(Buffer.alloc(8));
      writer.varint(value);
      expect(writer.bytes.toString('hex', 0, writer.at)).to.equal(hex);
    }
    expect(new ByteReader().reset(Buffer.from('4025', 'hex'), 0, 2).varint()).to.equal(37);
  });

  it('ByteReader.varint reads the output of ByteWriter.varint', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (value) => {
        const writer = new ByteWriter(Buffer.alloc(8));
        writer.varint(value);
        expect(writer.at).to.equal(varintSize(value));
        expect(new ByteReader().reset(writer.bytes, 0, writer.at).varint()).to.equal(value);
      }),
    );
  });

  it('ByteReader reports a truncated integer', () => {
    const reader = new ByteReader().reset(Buffer.from('9d7f3e', 'hex'), 0, 3);
    expect(reader.varint()).to.equal(0);
    expect(reader.truncated).to.equal(true);
  });
});

describe('fullPacketNumber', () => {
  it('fullPacketNumber decodes the example of RFC 9000 §A.3', () => {
    expect(fullPacketNumber(0x9b32, 2, 0xa82f30ea + 1)).to.equal(0xa82f9b32);
  });

  it('fullPacketNumber decodes every number encoded with packetNumberLength', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 1, max: 2 ** 20 }), (acked, ahead) => {
        const number = acked + ahead;
        const length = packetNumberLength(number, acked);
        // The receiver has received at least the packets that it acknowledged.
        expect(fullPacketNumber(number % 2 ** (8 * length), length, acked + 1)).to.equal(number);
      }),
    );
  });
});

describe('RangeSet', () => {
  it('RangeSet behaves like a set of integers', () => {
    const operation = fc.record({ add: fc.boolean(), low: fc.nat(60), length: fc.nat(12) });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const ranges = new RangeSet();
        const model = new Set<number>();
        for (const { add, low, length } of operations) {
          const high = low + length;
          const isNew = Array.from({ length: length + 1 }, (_, i) => low + i).some((value) => !model.has(value));
          if (add) expect(ranges.add(low, high)).to.equal(isNew);
          else ranges.remove(low, high);
          for (let value = low; value <= high; value++)
            if (add) model.add(value);
            else model.delete(value);
        }
        for (let value = 0; value < 80; value++) expect(ranges.has(value), String(value)).to.equal(model.has(value));
        for (let i = 1; i < ranges.size; i++) expect(ranges.low(i)).to.be.above(ranges.high(i - 1) + 1);
        expect(ranges.max).to.equal(model.size === 0 ? -1 : Math.max(...model));
      }),
      { numRuns: 500 },
    );
  });
});

describe('QUIC transport parameters', () => {
  it('decodeTransportParameters reverses encodeTransportParameters', () => {
    const own = {
      ...defaultTransportParameters(),
      initialSource: Buffer.from('0102', 'hex'),
      maxIdleTimeout: 30_000,
      initialMaxData: 2 ** 40,
      disableActiveMigration: true,
      versionInformation: [1, 0x6b3343cf],
    };
    expect(decodeTransportParameters(encodeTransportParameters(own), 'client')).to.deep.equal(own);
  });

  const refused: Record<string, string> = {
    'a repeated parameter': '010101010101',
    'a truncated list': '0104',
    'max_udp_payload_size below 1200': '03024400',
    'ack_delay_exponent above 20': '0a0115',
    'max_ack_delay of 2^14': '0b0480004000',
    'active_connection_id_limit below 2': '0e0101',
    'a server parameter from a client': '0000',
    'an integer with bytes after it': '01020101',
    'a limit of 2^60 + 1 bidirectional streams': '0808d000000000000001',
    'a limit of 2^60 + 1 unidirectional streams': '0908d000000000000001',
  };
  for (const [name, hex] of Object.entries(refused)) {
    it(`decodeTransportParameters rejects ${name} with TRANSPORT_PARAMETER_ERROR`, () => {
      expect(() => decodeTransportParameters(Buffer.from(hex, 'hex'), 'client'))
        .to.throw()
        .with.property('code', 0x8);
    });
  }
});
