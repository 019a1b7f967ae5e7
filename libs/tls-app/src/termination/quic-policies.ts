/** TLS policies and OpenSSL contexts for QUIC handshakes of one server. This file is loaded only if HTTP/3 is configured. */
import { createHash, hkdfSync } from 'node:crypto';
import type { EarlyDataGuard, QuicHandshake, QuicTermination, TlsPeer } from '@sluice/contracts';
import { TlsContext, type EarlyDataRule } from '@sluice/native';
import type { Certificate } from '../certificates/certificate.ts';
import type { ConnectionPolicy } from '../policies/connection-policy.ts';
import type { HandshakeHost } from './handshake-host.ts';
import { QuicPolicyHandshake, type QuicContexts } from './quic-handshake.ts';

/** Maximum number of cached TLS contexts. A context that was evicted is created again at the next handshake. */
const maxContexts = 256;
/** Offset of the random field in a ClientHello, after the message header and version (RFC 8446 §4.1.2). */
const randomAt = 6;
/** Size of an OpenSSL ticket key, in bytes. It consists of a name, an HMAC key and an AES key. */
const ticketKeyLength = 80;

interface Entry {
  readonly context: TlsContext;
  /** Session ticket key of the context. A new key requires a new context. */
  readonly ticketKey: Buffer | null;
}

export class QuicPolicies implements QuicTermination, QuicContexts {
  readonly #host: HandshakeHost;
  readonly #guard: EarlyDataGuard | null;
  readonly #entries = new Map<string, Entry>();

  /** `guard` decides whether to accept early data. `null` rejects all early data. */
  constructor(host: HandshakeHost, guard: EarlyDataGuard | null) {
    this.#host = host;
    this.#guard = guard;
  }

  begin(peer: TlsPeer, parameters: Buffer): QuicHandshake {
    return new QuicPolicyHandshake(this.#host, this, peer, parameters);
  }

  earlyData({ client }: ConnectionPolicy, serverName: string, hello: Buffer): EarlyDataRule | null {
    const guard = this.#guard;
    if (guard === null || client !== null) return null;
    const random = Buffer.from(hello.subarray(randomAt, randomAt + 32));
    return {
      binding: createHash('sha256').update(guard.binding).update(serverName).digest(),
      accept: () => guard.admit(random),
    };
  }

  get(policy: ConnectionPolicy, certificate: Certificate): TlsContext | null {
    const needs = policy.quicParameters;
    if (needs === null) return null;
    const { client } = policy;
    const authorities = client?.authorities?.certificates ?? [];
    const ticketKey = this.#host.tls.contexts.sealing.current;
    const key = `${policy.number} ${certificate.hash}`;
    const known = this.#entries.get(key);
    if (known !== undefined && known.ticketKey === ticketKey) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.context;
    }
    known?.context.free();
    const context = new TlsContext({
      isServer: true,
      certificate: certificate.chain,
      key: certificate.key,
      protocols: needs.protocols,
      groups: needs.groups,
      authorities,
      verification: client === null ? 'none' : client.required ? 'require' : 'request',
      acceptsAny: client !== null && !client.verified,
      logsSecrets: policy.secretsLog !== null,
      earlyData: this.#guard !== null,
      ticketKeys: ticketKey === null ? null : quicTicketKeys(ticketKey, [policy.key, ...authorities].join(' ')),
    });
    this.#entries.set(key, { context, ticketKey });
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= maxContexts) break;
      this.#entries.delete(oldest);
      entry.context.free();
    }
    return context;
  }

  /** Frees the TLS contexts. Existing sessions continue to work. */
  dispose(): void {
    for (const { context } of this.#entries.values()) context.free();
    this.#entries.clear();
  }
}

/**
 * Derives session ticket keys for QUIC, which must differ from the keys for TCP (RFC 9001 §4.5). All threads and fleet members derive the
 * same keys. A session can be resumed only under the same policy.
 */
function quicTicketKeys(ticketKey: Buffer, policyKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', ticketKey, '', `sluice quic tickets ${policyKey}`, ticketKeyLength));
}
