/** Address and credentials of a bucket. */

/** Credentials for signing requests. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Session token of temporary credentials; otherwise empty. */
  readonly sessionToken: string;
}

/** A bucket on a server with the Amazon S3 API. */
export interface S3Address {
  /** `http:` or `https:` URL without a path. */
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  /** True if the bucket is the first path segment instead of part of the host name. */
  readonly pathStyle: boolean;
  /** Disables certificate verification. */
  readonly insecure: boolean;
  /** `null` means requests are not signed. */
  readonly credentials: S3Credentials | null;
}

/** Returns host and path of an object, or of the bucket for an empty key. */
export function placeOf({ endpoint, bucket, pathStyle }: S3Address, key: string): { host: string; path: string } {
  const path = `/${key.split('/').map(encodeSegment).join('/')}`;
  if (!pathStyle) return { host: `${bucket}.${endpoint.host}`, path };
  return { host: endpoint.host, path: key === '' ? `/${bucket}` : `/${bucket}${path}` };
}

/** Percent-encodes all characters except letters, digits and `-._~`, as signatures require. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
