/** Transport parameters (RFC 9000 §18). */
import { ByteReader } from './byte-reader.ts';
import { ByteWriter, varintSize } from './byte-writer.ts';
import { QuicError, transportError } from './error-code.ts';
import { maxIdLength } from './packet-header.ts';

const id = {
  originalDestination: 0x00,
  maxIdleTimeout: 0x01,
  statelessResetToken: 0x02,
  maxUdpPayloadSize: 0x03,
  initialMaxData: 0x04,
  initialMaxStreamDataBidiLocal: 0x05,
  initialMaxStreamDataBidiRemote: 0x06,
  initialMaxStreamDataUni: 0x07,
  initialMaxStreamsBidi: 0x08,
  initialMaxStreamsUni: 0x09,
  ackDelayExponent: 0x0a,
  maxAckDelay: 0x0b,
  disableActiveMigration: 0x0c,
  preferredAddress: 0x0d,
  activeConnectionIdLimit: 0x0e,
  initialSource: 0x0f,
  retrySource: 0x10,
  versionInformation: 0x11,
  maxDatagramFrameSize: 0x20,
} as const;

/** Transport parameters of one side. Times are in milliseconds and sizes in bytes. */
export interface TransportParameters {
  originalDestination: Buffer | null;
  /** Idle timeout; 0 means no timeout. */
  maxIdleTimeout: number;
  statelessResetToken: Buffer | null;
  maxUdpPayloadSize: number;
  initialMaxData: number;
  initialMaxStreamDataBidiLocal: number;
  initialMaxStreamDataBidiRemote: number;
  initialMaxStreamDataUni: number;
  initialMaxStreamsBidi: number;
  initialMaxStreamsUni: number;
  ackDelayExponent: number;
  maxAckDelay: number;
  disableActiveMigration: boolean;
  activeConnectionIdLimit: number;
  initialSource: Buffer | null;
  retrySource: Buffer | null;
  /** Version information (RFC 9368 §3): the version in use, followed by the supported versions. */
  versionInformation: readonly number[] | null;
  /** Maximum size of a DATAGRAM frame (RFC 9221 §3); 0 means that such frames are not accepted. */
  maxDatagramFrameSize: number;
}

/** Returns the default transport parameters (RFC 9000 §18.2). */
export function defaultTransportParameters(): TransportParameters {
  return {
    originalDestination: null,
    maxIdleTimeout: 0,
    statelessResetToken: null,
    maxUdpPayloadSize: 65527,
    initialMaxData: 0,
    initialMaxStreamDataBidiLocal: 0,
    initialMaxStreamDataBidiRemote: 0,
    initialMaxStreamDataUni: 0,
    initialMaxStreamsBidi: 0,
    initialMaxStreamsUni: 0,
    ackDelayExponent: 3,
    maxAckDelay: 25,
    disableActiveMigration: false,
    activeConnectionIdLimit: 2,
    initialSource: null,
    retrySource: null,
    versionInformation: null,
    maxDatagramFrameSize: 0,
  };
}

/** Encodes the transport parameters that differ from the defaults. */
export function encodeTransportParameters(own: TransportParameters): Buffer {
  const writer = new ByteWriter(Buffer.alloc(512));
  const defaults = defaultTransportParameters();
  for (const [key, number] of numbers) {
    const value = own[key];
    if (value === defaults[key]) continue;
    writer.varint(number);
    writer.varint(varintSize(value));
    writer.varint(value);
  }
  for (const [key, number] of strings) {
    const value = own[key];
    if (value === null) continue;
    writer.varint(number);
    writer.varint(value.length);
    writer.all(value);
  }
  if (own.disableActiveMigration) {
    writer.varint(id.disableActiveMigration);
    writer.varint(0);
  }
  if (own.versionInformation !== null) {
    writer.varint(id.versionInformation);
    writer.varint(4 * own.versionInformation.length);
    for (const version of own.versionInformation) writer.uint32(version);
  }
  return writer.bytes.subarray(0, writer.at);
}

type NumberKey = {
  [K in keyof TransportParameters]: TransportParameters[K] extends number ? K : never;
}[keyof TransportParameters];
type StringKey = 'originalDestination' | 'statelessResetToken' | 'initialSource' | 'retrySource';

const numbers: readonly (readonly [NumberKey, number])[] = [
  ['maxIdleTimeout', id.maxIdleTimeout],
  ['maxUdpPayloadSize', id.maxUdpPayloadSize],
  ['initialMaxData', id.initialMaxData],
  ['initialMaxStreamDataBidiLocal', id.initialMaxStreamDataBidiLocal],
  ['initialMaxStreamDataBidiRemote', id.initialMaxStreamDataBidiRemote],
  ['initialMaxStreamDataUni', id.initialMaxStreamDataUni],
  ['initialMaxStreamsBidi', id.initialMaxStreamsBidi],
  ['initialMaxStreamsUni', id.initialMaxStreamsUni],
  ['ackDelayExponent', id.ackDelayExponent],
  ['maxAckDelay', id.maxAckDelay],
  ['activeConnectionIdLimit', id.activeConnectionIdLimit],
  ['maxDatagramFrameSize', id.maxDatagramFrameSize],
];
const strings: readonly (readonly [StringKey, number])[] = [
  ['originalDestination', id.originalDestination],
  ['statelessResetToken', id.statelessResetToken],
  ['initialSource', id.initialSource],
  ['retrySource', id.retrySource],
];
const numberById = new Map(numbers.map(([key, number]) => [number, key]));
const stringById = new Map(strings.map(([key, number]) => [number, key]));

/** Transport parameters that only servers may send (RFC 9000 §18.2). */
const ofServers: ReadonlySet<number> = new Set([
  id.originalDestination,
  id.statelessResetToken,
  id.preferredAddress,
  id.retrySource,
]);

/** Decodes the peer's transport parameters. Throws `TRANSPORT_PARAMETER_ERROR` on violations. */
export function decodeTransportParameters(bytes: Buffer, peer: 'client' | 'server'): TransportParameters {
  const found = defaultTransportParameters();
  const reader = new ByteReader().reset(bytes, 0, bytes.length);
  const seen = new Set<number>();
  while (reader.left > 0) {
    const number = reader.varint();
    const value = reader.take(reader.varint());
    if (reader.truncated) throw invalid('truncated parameter list');
    if (seen.has(number)) throw invalid(`duplicate parameter ${number}`);
    seen.add(number);
    if (peer === 'client' && ofServers.has(number))
      throw invalid(`a client must not send transport parameter ${number}`);
    readParameter(found, number, value);
  }
  checkBounds(found);
  return found;
}

function readParameter(found: TransportParameters, number: number, value: Buffer): void {
  const numberKey = numberById.get(number);
  if (numberKey !== undefined) {
    const reader = new ByteReader().reset(value, 0, value.length);
    const isStreamLimit = number === id.initialMaxStreamsBidi || number === id.initialMaxStreamsUni;
    const read = isStreamLimit ? reader.streams() : reader.varint();
    if (read < 0) throw invalid('stream limit exceeds 2^60');
    found[numberKey] = read;
    if (reader.truncated || reader.left > 0) throw invalid(`transport parameter ${number} is not a single integer`);
    return;
  }
  const stringKey = stringById.get(number);
  if (stringKey !== undefined) {
    const isToken = number === id.statelessResetToken;
    if (isToken ? value.length !== 16 : value.length > maxIdLength)
      throw invalid(`transport parameter ${number} has an invalid length`);
    found[stringKey] = Buffer.from(value);
  } else if (number === id.disableActiveMigration) {
    if (value.length > 0) throw invalid('disable_active_migration must be empty');
    found.disableActiveMigration = true;
  } else if (number === id.versionInformation) {
    if (value.length === 0 || value.length % 4 > 0) throw invalid('version_information has an invalid length');
    found.versionInformation = Array.from({ length: value.length / 4 }, (_, i) => value.readUInt32BE(4 * i));
    if (found.versionInformation.includes(0)) throw invalid('version_information contains version 0');
  }
}

function checkBounds(found: TransportParameters): void {
  if (found.maxUdpPayloadSize < 1200) throw invalid('max_udp_payload_size is below 1200');
  if (found.ackDelayExponent > 20) throw invalid('ack_delay_exponent is above 20');
  if (found.maxAckDelay >= 2 ** 14) throw invalid('max_ack_delay is not less than 2^14');
  if (found.activeConnectionIdLimit < 2) throw invalid('active_connection_id_limit is below 2');
}

function invalid(reason: string): QuicError {
  return new QuicError(transportError.transportParameterError, reason);
}
