/**
 * Log of a connection in qlog format, as a JSON text sequence (RFC 7464). Event names are from version 0.3, which most tools support
 * (draft-ietf-quic-qlog-main-schema, draft-ietf-quic-qlog-quic-events).
 */
import type { Json, JsonObject } from '@sluice/base';
import type { CloseReason } from '../connection/close-reason.ts';
import type { ConnectionLog, LoggedPacket } from '../connection/connection-log.ts';
import type { Recovery } from '../recovery/recovery.ts';
import { level } from '../wire/level.ts';
import type { TransportParameters } from '../wire/transport-parameters.ts';
import { framesIn } from './frame-log.ts';

/** Record separator that begins each record of the sequence. */
const separator = '\u001e';
/** Names of packet types and encryption levels, by `LoggedPacket.which`. */
const packetTypes = ['initial', 'handshake', '1RTT', '0RTT'];
const levels = [level.initial, level.handshake, level.application, level.early];

export interface QlogOptions {
  readonly isServer: boolean;
  /** Name of the connection in the log, usually its original destination connection ID. */
  readonly group: string;
  /** Maximum size of the log, in bytes. Later events are omitted. */
  readonly maxBytes: number;
  /** Receives records. */
  readonly write: (records: string) => void;
  /** Called after the last record was written. */
  readonly onEnd: () => void;
}

export class Qlog implements ConnectionLog {
  /** True if the log reached its maximum size and omits later events. */
  truncated = false;
  readonly #write: (records: string) => void;
  readonly #onEnd: () => void;
  readonly #maxBytes: number;
  #bytes = 0;
  #begunAt = -1;
  /** Metrics in the last logged event. Only changed metrics are logged. */
  readonly #metrics: Record<string, number> = {};
  #state = '';

  constructor({ isServer, group, maxBytes, write, onEnd }: QlogOptions) {
    this.#write = write;
    this.#onEnd = onEnd;
    this.#maxBytes = maxBytes;
    this.#record({
      file_schema: 'urn:ietf:params:qlog:file:sequential',
      serialization_format: 'application/qlog+json-seq',
      qlog_format: 'JSON-SEQ',
      qlog_version: '0.3',
      title: 'Sluice',
      trace: {
        vantage_point: { type: isServer ? 'server' : 'client' },
        common_fields: {
          group_id: group,
          ODCID: group,
          time_format: 'relative',
          reference_time: Date.now(),
        },
      },
    });
  }

  #record(value: Json): void {
    if (this.truncated) return;
    const text = `${separator}${JSON.stringify(value)}\n`;
    if (this.#bytes + text.length > this.#maxBytes) {
      this.truncated = true;
      return;
    }
    this.#bytes += text.length;
    this.#write(text);
  }

  #event(now: number, name: string, data: JsonObject): void {
    if (this.#begunAt < 0) this.#begunAt = now;
    this.#record({ time: Math.round((now - this.#begunAt) * 1000) / 1000, name, data });
  }

  packet(direction: 'sent' | 'received', { which, number, size, bytes, start, end }: LoggedPacket, now: number): void {
    if (this.truncated) return;
    this.#event(now, `transport:packet_${direction}`, {
      header: { packet_type: packetTypes[which] ?? 'unknown', packet_number: number },
      raw: { length: size, payload_length: end - start },
      frames: framesIn(bytes, start, end, levels[which] ?? level.application),
    });
  }

  dropped(size: number, now: number): void {
    this.#event(now, 'transport:packet_dropped', { raw: { length: size }, trigger: 'decryption_failure' });
  }

  lost(which: number, number: number, now: number): void {
    const header = { packet_type: packetTypes[which] ?? 'unknown', packet_number: number };
    this.#event(now, 'recovery:packet_lost', { header });
  }

  parameters(owner: 'local' | 'remote', parameters: TransportParameters, now: number): void {
    this.#event(now, 'transport:parameters_set', {
      owner,
      max_idle_timeout: parameters.maxIdleTimeout,
      max_udp_payload_size: parameters.maxUdpPayloadSize,
      ack_delay_exponent: parameters.ackDelayExponent,
      max_ack_delay: parameters.maxAckDelay,
      active_connection_id_limit: parameters.activeConnectionIdLimit,
      disable_active_migration: parameters.disableActiveMigration,
      initial_max_data: parameters.initialMaxData,
      initial_max_stream_data_bidi_local: parameters.initialMaxStreamDataBidiLocal,
      initial_max_stream_data_bidi_remote: parameters.initialMaxStreamDataBidiRemote,
      initial_max_stream_data_uni: parameters.initialMaxStreamDataUni,
      initial_max_streams_bidi: parameters.initialMaxStreamsBidi,
      initial_max_streams_uni: parameters.initialMaxStreamsUni,
      max_datagram_frame_size: parameters.maxDatagramFrameSize,
    });
  }

  recovery({ rtt, congestion, timeouts }: Recovery, now: number): void {
    if (this.truncated) return;
    const values: Record<string, number> = {
      congestion_window: Math.round(congestion.window),
      bytes_in_flight: congestion.inFlight,
      pto_count: timeouts,
    };
    if (rtt.sampled)
      Object.assign(values, {
        min_rtt: rtt.min,
        smoothed_rtt: rtt.smoothed,
        latest_rtt: rtt.latest,
        rtt_variance: rtt.variation,
      });
    const changed = Object.entries(values).filter(([name, value]) => this.#metrics[name] !== value);
    Object.assign(this.#metrics, values);
    if (changed.length > 0) this.#event(now, 'recovery:metrics_updated', Object.fromEntries(changed));
    const state = congestion.inSlowStart ? 'slow_start' : 'congestion_avoidance';
    if (state === this.#state) return;
    this.#state = state;
    this.#event(now, 'recovery:congestion_state_updated', { new: state });
  }

  migrated({ host, port }: { readonly host: string; readonly port: number }, now: number): void {
    this.#event(now, 'connectivity:path_assigned', { path_remote: { ip: host, port } });
  }

  closed({ code, application, reason, by }: CloseReason, now: number): void {
    const owner = by === 'peer' || by === 'reset' ? 'remote' : 'local';
    this.#event(now, 'connectivity:connection_closed', {
      owner,
      [application ? 'application_code' : 'connection_code']: code,
      reason,
      trigger: by === 'timeout' ? 'idle_timeout' : by === 'reset' ? 'stateless_reset' : 'error',
    });
    this.#onEnd();
  }
}
