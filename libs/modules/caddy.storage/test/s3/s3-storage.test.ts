import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { storages } from '@sluice/contracts';
import { refusal, throwAwayCertificate } from '@sluice/testing';
import { register } from '@sluice/caddy.storage';
import { BucketServer } from '../bucket-server.ts';
import { openFrom } from '../open-storage.ts';
import { S3Client } from '../../src/s3/s3-client.ts';
import { S3LockSeeker } from '../../src/s3/s3-lock.ts';

const span = 300;

/** Opens a storage on a bucket server. Also returns the recorded requests and a second client. */
async function open(conditions = true): Promise<{
  readonly bucket: BucketServer;
  readonly storage: Awaited<ReturnType<typeof openFrom>>;
  readonly client: S3Client;
  close(): Promise<void>;
}> {
  const bucket = await BucketServer.start(conditions);
  const storage = await openFrom('s3', bucket.port, span);
  const client = new S3Client({
    endpoint: new URL(`http://127.0.0.1:${bucket.port}`),
    bucket: 'certificates',
    region: 'us-east-1',
    pathStyle: true,
    insecure: false,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: '' },
  });
  const close = async (): Promise<void> => {
    await storage.close();
    client.close();
    await bucket.stop();
  };
  return { bucket, storage, client, close };
}

const pair = (text: string): Map<string, string> =>
  new Map([
    ['p/key', text],
    ['p/crt', text],
  ]);

describe('caddy.storage.s3', () => {
  it('S3Storage stores values, but rejects locks, if the server ignores conditional requests', async () => {
    const { storage, close } = await open(false);
    await storage.store('a', 'x');
    expect(await storage.lock('name').catch((error: unknown) => error))
      .to.include({ code: 'ERR_STORAGE_SERVER' })
      .and.have.property('message')
      .that.contains('ignores conditional requests');
    expect(String(await storage.load('a'))).to.equal('x');
    await close();
  });

  it('S3Storage keeps a lock if the renewal succeeded but the response was lost', async () => {
    const { bucket, client, close } = await open();
    const held = await new S3LockSeeker(client, 'l', span).take('l');
    const { body } = bucket.objects.get('l') ?? {};
    // Simulates a write whose response was lost: the lock object contains this owner's token but has an unknown ETag.
    bucket.put('l', Buffer.from(String(body).replace(/ \d+$/, ' lost')));
    await sleep(span * 2);
    expect(held?.lease.lost.aborted).to.equal(false);
    expect(await held?.isHeld()).to.equal(true);
    await held?.lease.release();
    expect(bucket.objects.get('l')?.body.length).to.equal(0);
    await close();
  });

  it('S3Storage reports a lock as lost if another process has overwritten it', async () => {
    const { bucket, client, close } = await open();
    const held = await new S3LockSeeker(client, 'l', span).take('l');
    bucket.put('l', Buffer.from('another 0'));
    await sleep(span);
    expect(held?.lease.lost.aborted).to.equal(true);
    await held?.lease.release();
    expect(String(bucket.objects.get('l')?.body)).to.equal('another 0');
    await close();
  });

  it('S3Storage rewrites all values if a previous lock owner has changed one of them in the meantime', async () => {
    const { bucket, storage, close } = await open();
    const lock = await storage.lock('name');
    let late = 0;
    const put = bucket.put.bind(bucket);
    bucket.put = (key, body) => {
      const made = put(key, body);
      // Immediately after the first object is read, a late owner changes the second object.
      if (key === 'ssl/p/crt' && late++ === 0) put('ssl/p/key', Buffer.from('late'));
      return made;
    };
    await lock.write?.(pair('ours'));
    for (const key of pair('').keys()) expect(String(await storage.load(key))).to.equal('ours');
    expect(late).to.equal(2);
    await lock.release();
    await close();
  });

  it('S3Storage connects over TLS to a server whose certificate contains its IP address', async () => {
    const { cert, key } = await throwAwayCertificate(['127.0.0.1']);
    const names: (string | false | null | undefined)[] = [];
    const server = createServer({ cert, key }, (request, response) => {
      names.push((request.socket as TLSSocket & { readonly servername?: string | false | null }).servername);
      response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const trusted = getCACertificates('default');
    const get = async (host: string): Promise<unknown> => {
      const client = new S3Client({
        endpoint: new URL(`https://${host}:${port}`),
        bucket: 'certificates',
        region: 'us-east-1',
        pathStyle: true,
        insecure: false,
        credentials: null,
      });
      const result = await client.get('x').catch((error: unknown) => String(error));
      client.close();
      return result;
    };
    try {
      expect(await get('127.0.0.1')).to.contain('self-signed certificate');
      setDefaultCACertificates([...trusted, cert]);
      expect(await get('127.0.0.1')).to.equal(null);
      expect(names.map((name) => name || null)).to.deep.equal([null]);
      expect(await get('localhost')).to.contain("Host: localhost. is not cert's");
    } finally {
      setDefaultCACertificates(trusted);
      server.close();
    }
  });

  it('S3Storage reports the error message of the server', async () => {
    const { bucket, client, close } = await open();
    await bucket.stop();
    const gone = await client.get('x').catch((error: unknown) => error);
    expect(gone).to.include({ code: 'ERR_STORAGE_SERVER' });
    await close().catch(() => undefined);
    const other = await open();
    const otherClient = new S3Client({
      endpoint: new URL(`http://127.0.0.1:${other.bucket.port}`),
      bucket: 'certificates',
      region: 'us-east-1',
      pathStyle: true,
      insecure: false,
      credentials: null,
    });
    expect(await otherClient.get('x').catch(String)).to.contain('s3: 403 AccessDenied: no');
    otherClient.close();
    await other.close();
  });

  it('S3Storage rejects an invalid URL and a missing bucket', async () => {
    const of = (options: object): Promise<string> =>
      refusal(storages, { module: 's3', ...options }, { register: [register], key: 'module' });
    expect(await of({})).to.contain('bucket is missing');
    expect(await of({ bucket: 'b', endpoint: 'ftp://x' })).to.contain('"ftp://x" is not a server URL');
    expect(await of({ bucket: 'b', host: 'x/y' })).to.contain('"https://x/y" is not a server URL');
  });
});
