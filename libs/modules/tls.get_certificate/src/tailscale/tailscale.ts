/** Client for the local API of tailscaled, which is HTTP over a Unix socket. */
import { SluiceError, httpGet } from '@sluice/base';
import type { ClientHello } from '@sluice/contracts';
import type { CertificateManager, CertificatePair } from '@sluice/tls-app';
import { pairIn } from '../common/bundle.ts';

/** Path of the daemon's socket. The macOS and Windows apps of Tailscale have no socket. */
const defaultSocket = process.platform === 'darwin' ? '/var/run/tailscaled.socket' : '/run/tailscale/tailscaled.sock';

/** Certificate manager that returns certificates from the Tailscale daemon. The daemon obtains, renews and caches them. */
export class Tailscale implements CertificateManager {
  readonly #socketPath: string;

  constructor(socketPath: string = defaultSocket) {
    this.#socketPath = socketPath;
  }

  async get({ serverName }: ClientHello, signal: AbortSignal): Promise<CertificatePair | null> {
    if (!serverName.endsWith('.ts.net')) return null;
    // Use this host, because the daemon rejects all other hosts. The restriction prevents web pages from querying the daemon.
    const url = new URL(`http://local-tailscaled.sock/localapi/v0/cert/${encodeURIComponent(serverName)}?type=pair`);
    const { status, body } = await httpGet(url, { signal, socketPath: this.#socketPath });
    const text = body.toString('utf8');
    if (status !== 200)
      throw new SluiceError('ERR_FETCH', `tailscaled returned status ${status}: ${text.trim().slice(0, 200)}`);
    return pairIn(text);
  }
}
