/** Parses and verifies OCSP responses (RFC 6960 §4.2). */
import type { X509Certificate } from 'node:crypto';
import {
  BasicOCSPResponse,
  id_pkix_ocsp_basic,
  OCSPResponse,
  OCSPResponseStatus,
  type SingleResponse,
} from '@peculiar/asn1-ocsp';
import { AsnConvert } from '@peculiar/asn1-schema';
import { CRLReasons } from '@peculiar/asn1-x509';
import { SluiceError } from '@sluice/base';
import { certificateId, isSameId } from './request.ts';
import { signerOf } from './signature.ts';

/** Parsed OCSP response with the status of a certificate. Times are in milliseconds since the Unix epoch. */
export interface OcspResponse {
  readonly status: 'good' | 'revoked' | 'unknown';
  /** Time at which the status is known to be correct. */
  readonly from: number;
  /** Time until which the response may be stapled. */
  readonly until: number;
  readonly revokedAt: number | null;
  /** Revocation reason, as named in RFC 5280 §5.3.1. `null` if the response contains none. */
  readonly reason: string | null;
}

/** Tolerated clock skew between this server and a responder, in milliseconds. */
const skew = 5 * 60_000;
/** Validity of an OCSP response that contains no expiration time, in milliseconds. */
const defaultValidity = 86_400_000;

/**
 * Parses and verifies an OCSP response. Throws an error with the reason if the response is malformed, unsigned, not currently valid, or for
 * another certificate.
 */
export function readOcspResponse(
  der: Buffer,
  leaf: X509Certificate,
  issuer: X509Certificate,
  now = Date.now(),
): OcspResponse {
  const response = basicResponse(der);
  const id = certificateId(leaf, issuer);
  const single = response.tbsResponseData.responses.find(({ certID }) => isSameId(certID, id));
  if (single === undefined) throw new SluiceError('ERR_OCSP', 'the OCSP response is for a different certificate');
  const signer = signerOf(response, issuer);
  const from = single.thisUpdate.getTime();
  const until = Math.min(
    endOfUpdate(single.thisUpdate, single.nextUpdate),
    signer.validToDate.getTime(),
    leaf.validToDate.getTime(),
  );
  if (from > now + skew)
    throw new SluiceError('ERR_OCSP', `the OCSP response is not valid before ${single.thisUpdate.toISOString()}`);
  if (until <= now) throw new SluiceError('ERR_OCSP', `the OCSP response expired at ${new Date(until).toISOString()}`);
  return { ...statusIn(single), from, until };
}

/**
 * Returns the expiration time of a stored OCSP response, in milliseconds since the Unix epoch. If the response contains several expiration
 * times, returns the latest. Throws if the response is malformed.
 */
export function endOf(der: Buffer): number {
  const { responses } = basicResponse(der).tbsResponseData;
  return Math.max(...responses.map(({ thisUpdate, nextUpdate }) => endOfUpdate(thisUpdate, nextUpdate)));
}

function endOfUpdate(from: Date, until: Date | undefined): number {
  return until?.getTime() ?? from.getTime() + defaultValidity;
}

function basicResponse(der: Buffer): BasicOCSPResponse {
  const { responseStatus, responseBytes } = parsed(der, OCSPResponse);
  if (responseStatus !== OCSPResponseStatus.successful)
    throw new SluiceError(
      'ERR_OCSP',
      `the OCSP responder rejected the request: ${OCSPResponseStatus[responseStatus] ?? responseStatus}`,
    );
  if (responseBytes?.responseType !== id_pkix_ocsp_basic)
    throw new SluiceError('ERR_OCSP', `unsupported OCSP response type: ${responseBytes?.responseType ?? 'none'}`);
  return parsed(Buffer.from(responseBytes.response.buffer), BasicOCSPResponse);
}

function parsed<T>(der: Buffer, type: new () => T): T {
  try {
    return AsnConvert.parse(der, type);
  } catch (cause) {
    throw new SluiceError('ERR_OCSP', `the response is not an OCSP response (${der.length} bytes)`, { cause });
  }
}

function statusIn({ certStatus }: SingleResponse): Pick<OcspResponse, 'status' | 'revokedAt' | 'reason'> {
  const { revoked } = certStatus;
  if (revoked === undefined)
    return { status: certStatus.good === undefined ? 'unknown' : 'good', revokedAt: null, reason: null };
  const reason = revoked.revocationReason?.reason;
  return {
    status: 'revoked',
    revokedAt: revoked.revocationTime.getTime(),
    reason: reason === undefined ? null : (CRLReasons[reason] ?? String(reason)),
  };
}
