/** Where a bucket is, and who asks. */

/** What requests are signed with. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that end; else empty. */
  readonly sessionToken: string;
}

/** A bucket of a server that speaks the API of Amazon S3. */
export interface S3Address {
  /** With `http:` or `https:`, and without a path. */
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  /** Whether the bucket is the first segment of paths, and not a part of the host. */
  readonly pathStyle: boolean;
  /** Whether any certificate will do. */
  readonly insecure: boolean;
  /** `null` for requests that are not signed. */
  readonly credentials: S3Credentials | null;
}

/** The host and path of an object, or of the bucket for an empty key. */
export function placeOf({ endpoint, bucket, pathStyle }: S3Address, key: string): { host: string; path: string } {
  const path = `/${key.split('/').map(encodeSegment).join('/')}`;
  if (!pathStyle) return { host: `${bucket}.${endpoint.host}`, path };
  return { host: endpoint.host, path: key === '' ? `/${bucket}` : `/${bucket}${path}` };
}

/** As signatures need it: all but letters, digits and `-._~` in percent. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
