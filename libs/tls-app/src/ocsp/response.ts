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

/** Status of a certificate. Times in milliseconds since 1970. */
export interface OcspResponse {
  readonly status: 'good' | 'revoked' | 'unknown';
  /** Time of the status. */
  readonly from: number;
  /** Time until which it may be stapled. */
  readonly until: number;
  readonly revokedAt: number | null;
  /** Revocation reason by its name in RFC 5280 §5.3.1; `null` if not specified. */
  readonly reason: string | null;
}

/** Tolerated clock skew of a responder, in milliseconds. */
const skew = 5 * 60_000;
/** Default validity of a response without an expiration, in milliseconds. */
const defaultValidity = 86_400_000;

/** Parses a response. Throws with the reason if the response is invalid, for another certificate, not signed, or not currently valid. */
export function readOcspResponse(
  der: Buffer,
  leaf: X509Certificate,
  issuer: X509Certificate,
  now = Date.now(),
): OcspResponse {
  const response = basicResponse(der);
  const id = certificateId(leaf, issuer);
  const single = response.tbsResponseData.responses.find(({ certID }) => isSameId(certID, id));
  if (single === undefined) throw new SluiceError('ERR_OCSP', 'response is for a different certificate');
  const signer = signerOf(response, issuer);
  const from = single.thisUpdate.getTime();
  const until = Math.min(
    endOfUpdate(single.thisUpdate, single.nextUpdate),
    signer.validToDate.getTime(),
    leaf.validToDate.getTime(),
  );
  if (from > now + skew)
    throw new SluiceError('ERR_OCSP', `response is not valid before ${single.thisUpdate.toISOString()}`);
  if (until <= now) throw new SluiceError('ERR_OCSP', `response expired at ${new Date(until).toISOString()}`);
  return { ...statusIn(single), from, until };
}

/** Returns the latest expiration of a stored response, in milliseconds since 1970. Throws if the response is invalid. */
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
      `responder rejected the request: ${OCSPResponseStatus[responseStatus] ?? responseStatus}`,
    );
  if (responseBytes?.responseType !== id_pkix_ocsp_basic)
    throw new SluiceError('ERR_OCSP', `unsupported response type: ${responseBytes?.responseType ?? 'none'}`);
  return parsed(Buffer.from(responseBytes.response.buffer), BasicOCSPResponse);
}

function parsed<T>(der: Buffer, type: new () => T): T {
  try {
    return AsnConvert.parse(der, type);
  } catch (cause) {
    throw new SluiceError('ERR_OCSP', `not an OCSP response (${der.length} bytes)`, { cause });
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
