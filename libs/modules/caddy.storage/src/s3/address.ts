/** Address and credentials of an S3 bucket. */

/** Credentials for signing S3 requests. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Session token of temporary credentials. Empty for permanent credentials. */
  readonly sessionToken: string;
}

/** A bucket on a server that supports the Amazon S3 API. */
export interface S3Address {
  /** URL of the server with the scheme `http:` or `https:`, without a path. */
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  /** True if the bucket name is the first path segment. False if it is part of the host name. */
  readonly pathStyle: boolean;
  /** Disables certificate verification. */
  readonly insecure: boolean;
  /** Credentials, or `null` to send unsigned requests. */
  readonly credentials: S3Credentials | null;
}

/** Returns the host and path of an object. An empty key refers to the bucket. */
export function placeOf({ endpoint, bucket, pathStyle }: S3Address, key: string): { host: string; path: string } {
  const path = `/${key.split('/').map(encodeSegment).join('/')}`;
  if (!pathStyle) return { host: `${bucket}.${endpoint.host}`, path };
  return { host: endpoint.host, path: key === '' ? `/${bucket}` : `/${bucket}${path}` };
}

/** Percent-encodes all characters except letters, digits and `-._~`, as request signatures require. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
