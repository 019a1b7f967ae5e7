/**
 * Early data from clients, and the sessions that clients resume. OpenSSL accepts early data only with the same cipher suite and ALPN
 * protocol. The ticket age may differ by at most 11 seconds from the age that the client reports (RFC 8446 §8.3). OpenSSL's replay
 * protection works only within one context, so it is disabled. `EarlyDataRule.accept` must therefore reject replays.
 */
import { reportFault } from '@sluice/base';
import { addressIn, Block } from '../memory.ts';
import { bytesAt, callbackOf } from '../library.ts';
import { callingSession } from './calling-session.ts';
import { openssl } from './functions.ts';
import { TlsClientSession } from './resumption.ts';

const noAntiReplay = 1n << 24n;
const sessionCache = 44;
/** Session cache mode `SSL_SESS_CACHE_CLIENT` with OpenSSL's internal cache disabled. */
const clientSessions = 0x301n;

/** Allows sessions of a server context to accept early data. */
export function allowEarlyData(context: bigint): void {
  const { SSL_CTX_set_allow_early_data_cb, SSL_CTX_set_options, SSL_CTX_set_session_ticket_cb } = openssl();
  SSL_CTX_set_options(context, noAntiReplay);
  SSL_CTX_set_session_ticket_cb(context, ticketCallback(), 0n, 0n);
  SSL_CTX_set_allow_early_data_cb(context, allowCallback(), 0n);
}

/** Passes resumable sessions of a client context to `CallingSession.newSession`. */
export function keepSessions(context: bigint): void {
  const { SSL_CTX_ctrl, SSL_CTX_sess_set_new_cb } = openssl();
  SSL_CTX_ctrl(context, sessionCache, clientSessions, 0n);
  SSL_CTX_sess_set_new_cb(context, sessionCallback());
}

const failed = { failure: 0, report: (error: unknown): void => reportFault({ part: 'connection', error }) };
let ticket = 0n;
let allow = 0n;
let session = 0n;

function ticketCallback(): bigint {
  if (ticket === 0n)
    ticket = callbackOf(
      ['i', 'p', 'p'],
      (ssl) => {
        const binding = callingSession()?.earlyData?.binding ?? null;
        if (binding === null) return 1;
        const { SSL_get_session, SSL_SESSION_set1_ticket_appdata } = openssl();
        const { length } = binding;
        return SSL_SESSION_set1_ticket_appdata(SSL_get_session(ssl), addressIn(binding, 0, length), BigInt(length));
      },
      failed,
    );
  return ticket;
}

function allowCallback(): bigint {
  if (allow === 0n)
    allow = callbackOf(
      ['i', 'p', 'p'],
      (ssl) => {
        const rule = callingSession()?.earlyData ?? null;
        return rule !== null && isBound(ssl, rule.binding) && rule.accept() ? 1 : 0;
      },
      failed,
    );
  return allow;
}

/** Reports whether the ticket presented by a client contains `binding`. */
function isBound(ssl: bigint, binding: Buffer): boolean {
  const { SSL_get_session, SSL_SESSION_get0_ticket_appdata } = openssl();
  const out = new Block(16);
  if (SSL_SESSION_get0_ticket_appdata(SSL_get_session(ssl), out.at(0, 8), out.at(8, 8)) !== 1) return false;
  const length = Number(out.bytes.readBigUInt64LE(8));
  return length === binding.length && bytesAt(out.bytes.readBigUInt64LE(0), length).equals(binding);
}

function sessionCallback(): bigint {
  if (session === 0n)
    session = callbackOf(
      ['i', 'p', 'p'],
      (_ssl, address) => {
        const current = callingSession();
        if (current === null || !current.wantsSessions) return 0;
        current.newSession(new TlsClientSession(address));
        return 1;
      },
      failed,
    );
  return session;
}
