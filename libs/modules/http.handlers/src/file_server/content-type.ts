/** Determines the content type of a file by its last extension. */
import { pathExtension } from '@sluice/base';

/** Caddy's built-in content types, which take precedence over the MIME database. A charset is added to text types below. */
const known: Readonly<Record<string, string>> = {
  'text/html': 'html htm shtml',
  'text/css': 'css',
  'text/javascript': 'js mjs',
  'text/xml': 'xml xsl',
  'text/plain': 'txt text',
  'text/csv': 'csv',
  'text/calendar': 'ics',
  'text/vtt': 'vtt',
  'text/markdown': 'md',
  'application/json': 'json',
  'application/xhtml+xml': 'xhtml',
  'application/rtf': 'rtf',
  'application/gzip': 'gz',
  'application/octet-stream': 'bin exe',
  'application/postscript': 'ps ai',
  'application/rdf+xml': 'rdf',
  'message/rfc822': 'eml',
  'image/vnd.microsoft.icon': 'ico',
  'image/bmp': 'bmp',
  'audio/ogg': 'ogg oga opus',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
};

/** Extensions for which Caddy does not send a content type, although the MIME database contains one. */
const withoutType = 'br cjs conf db ini jsonc jsx less map ndjson parquet topojson tsx vue weba';

/** Precedence of the MIME database's sources if an extension has several content types. */
const ranks: Readonly<Record<string, number>> = { iana: 4, apache: 2, nginx: 1 };

/** Returns the content type for a file name or path, ignoring case. Returns `null` if it is unknown. */
export type ContentTypeOf = (path: string) => string | null;

let loading: Promise<ContentTypeOf> | null = null;

/** Loads the table of content types. This happens once per thread, when the first file server is provisioned. */
export function loadContentTypes(): Promise<ContentTypeOf> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ContentTypeOf> {
  const types = collect((await import('mime-db')).default);
  return (path) => {
    const extension = pathExtension(path).slice(1);
    return types.get(extension) ?? types.get(extension.toLowerCase()) ?? null;
  };
}

interface Entries {
  readonly [type: string]: {
    readonly source?: string | undefined;
    readonly extensions?: readonly string[] | undefined;
  };
}

function collect(database: Entries): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const rankOf = new Map<string, number>();
  for (const [type, { source, extensions = [] }] of Object.entries(database)) {
    // A type such as `video/mp4` takes precedence over `application/mp4`, because it is more specific.
    const rank = (ranks[source ?? ''] ?? 0) + (type.startsWith('application/') ? 0 : 1);
    for (const extension of extensions) {
      if (rank <= (rankOf.get(extension) ?? -1)) continue;
      rankOf.set(extension, rank);
      found.set(extension, withCharset(type));
    }
  }
  for (const [type, extensions] of Object.entries(known))
    for (const extension of extensions.split(' ')) found.set(extension, withCharset(type));
  for (const extension of withoutType.split(' ')) found.delete(extension);
  return found;
}

function withCharset(type: string): string {
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}
