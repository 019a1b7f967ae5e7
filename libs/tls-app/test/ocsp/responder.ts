/** A local OCSP responder that can return incorrect responses. */
import { sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BasicOCSPResponse,
  CertID,
  CertStatus,
  id_pkix_ocsp_basic,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  RevokedInfo,
  SingleResponse,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate, CRLReason, type CRLReasons } from '@peculiar/asn1-x509';

const hour = 3_600_000;
const ecdsaWithSha256 = '1.2.840.10045.4.3.2';

export interface Signer {
  readonly pem: string;
  /** PEM (PKCS#8). */
  readonly key: string;
}

/** Content of an OCSP response. */
export interface TestResponse {
  readonly status?: 'good' | 'revoked' | 'unknown';
  readonly reason?: CRLReasons;
  readonly signer?: Signer;
  /** Certificates that the response includes. */
  readonly certificates?: readonly Signer[];
  /** Start of the validity period, in milliseconds relative to now. Default validity: from one hour ago to one week from now. */
  readonly from?: number;
  /** `null` means omitted. */
  readonly until?: number | null;
  /** Serial number of a different certificate, to simulate a wrong response. */
  readonly serial?: Buffer;
}

/** Returns the DER-encoded OCSP response to a request. */
export function responseTo(request: OCSPRequest, issuer: Signer, response: TestResponse = {}): Buffer {
  const { signer = issuer, certificates = [], from = -hour, until = 7 * 24 * hour, status = 'good' } = response;
  const asked = request.tbsRequest.requestList[0]?.reqCert ?? new CertID();
  if (response.serial !== undefined) asked.serialNumber = exactly(response.serial);
  const now = Math.floor(Date.now() / 1000) * 1000;
  const data = new ResponseData({
    responderID: new ResponderID({ byName: certificateOf(signer).tbsCertificate.subject }),
    producedAt: new Date(now),
    responses: [
      new SingleResponse({
        certID: asked,
        certStatus: statusOf(status, response.reason),
        thisUpdate: new Date(now + from),
        ...(until === null ? {} : { nextUpdate: new Date(now + until) }),
      }),
    ],
  });
  const signed = Buffer.from(AsnConvert.serialize(data));
  const basic = new BasicOCSPResponse({
    tbsResponseData: data,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    signature: exactly(sign('sha256', signed, signer.key)),
    ...(certificates.length === 0 ? {} : { certs: certificates.map(certificateOf) }),
  });
  return responseOf(new ResponseBytes({ responseType: id_pkix_ocsp_basic, response: octets(basic) }));
}

/** Returns a DER-encoded OCSP error response. */
export function refusal(status: OCSPResponseStatus): Buffer {
  return Buffer.from(AsnConvert.serialize(new OCSPResponse({ responseStatus: status })));
}

/** Behavior of a responder. Returns the response, or null to send none. */
export type Behavior = (request: OCSPRequest) => Buffer | null;

export class OcspResponder {
  readonly url: string;
  /** Serial numbers that clients have requested, in hexadecimal. */
  readonly asked: string[] = [];
  status = 200;
  readonly #server: Server;
  behavior: Behavior;

  private constructor(server: Server, behavior: Behavior) {
    this.#server = server;
    this.behavior = behavior;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocsp`;
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const parsed = AsnConvert.parse(Buffer.concat(chunks), OCSPRequest);
        const serial = parsed.tbsRequest.requestList[0]?.reqCert.serialNumber ?? new ArrayBuffer(0);
        this.asked.push(Buffer.from(serial).toString('hex'));
        const received = this.behavior(parsed);
        if (received === null) return;
        response.writeHead(this.status, { 'content-type': 'application/ocsp-response' }).end(received);
      });
    });
  }

  static async start(behavior: Behavior, port = 0): Promise<OcspResponder> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new OcspResponder(server, behavior);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function statusOf(status: 'good' | 'revoked' | 'unknown', reason: CRLReasons | undefined): CertStatus {
  if (status === 'good') return new CertStatus({ good: null });
  if (status === 'unknown') return new CertStatus({ unknown: null });
  const info = new RevokedInfo({ revocationTime: new Date(Date.now() - hour) });
  if (reason !== undefined) info.revocationReason = new CRLReason(reason);
  return new CertStatus({ revoked: info });
}

function responseOf(responseBytes: ResponseBytes): Buffer {
  const response = new OCSPResponse({ responseStatus: OCSPResponseStatus.successful, responseBytes });
  return Buffer.from(AsnConvert.serialize(response));
}

function octets(value: object): OctetString {
  return new OctetString(AsnConvert.serialize(value));
}

function certificateOf({ pem }: Signer): Certificate {
  return AsnConvert.parse(Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'), Certificate);
}

/** Returns an ArrayBuffer with exactly these bytes, as ASN.1 objects require. A Buffer may share its memory with others. */
function exactly(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
