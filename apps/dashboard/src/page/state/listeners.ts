/** Data about the listeners of all servers. */

/** A server with its listeners, as returned by `GET /stats/listeners`. */
export interface ServerListeners {
  readonly server: string;
  readonly listen: readonly string[];
  readonly protocols: readonly string[];
  readonly tls: boolean;
  readonly connections: number;
  /** Timeouts in milliseconds. 0 means no limit. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Returns the local URLs of a server, such as `http://localhost:8080/`. */
export function addressesOf({ listen, tls }: Pick<ServerListeners, 'listen' | 'tls'>): readonly string[] {
  return listen.flatMap((address) => {
    const [, host = '', port] = /^(?:tcp[46]?\/)?(.*):(\d+)(?:-\d+)?$/.exec(address) ?? [];
    if (port === undefined) return [];
    const isAny = host === '' || host === '0.0.0.0' || host === '[::]';
    const isDefault = port === (tls ? '443' : '80');
    return [`${tls ? 'https' : 'http'}://${isAny ? 'localhost' : host}${isDefault ? '' : `:${port}`}/`];
  });
}
