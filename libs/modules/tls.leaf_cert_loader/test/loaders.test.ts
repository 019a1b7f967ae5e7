import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { MemoryStorage, provision, sampleCertificates } from '@sluice/testing';
import { leafLoaders } from '@sluice/contracts';
import { register } from '../src/index.ts';

const { authority, client } = sampleCertificates;
const storage = new MemoryStorage();

/** Returns the certificates that a loader provides. */
async function loaded(config: JsonObject): Promise<readonly string[]> {
  const { instance, close } = await provision(leafLoaders, config, { register: [register], key: 'loader', storage });
  try {
    return await instance.load();
  } finally {
    await close();
  }
}

const failure = (config: JsonObject): Promise<string> =>
  loaded(config).then(
    () => 'it loads',
    (error: Error) => error.message,
  );

describe('tls.leaf_cert_loader', () => {
  let folder: string;
  const path = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leaves-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  describe('tls.leaf_cert_loader.pem', () => {
    it('the pem loader returns the certificates in its strings', async () => {
      const certificates = [client, `${authority}\n${client}`];
      expect(await loaded({ loader: 'pem', certificates })).to.deep.equal([client, authority, client]);
      expect(await loaded({ loader: 'pem' })).to.deep.equal([]);
    });

    it('the pem loader rejects strings without a certificate', async () => {
      expect(await failure({ loader: 'pem', certificates: [client, 'x'] })).to.match(/^certificates\[1\]: no PEM/);
    });
  });

  describe('tls.leaf_cert_loader.file', () => {
    it('the file loader returns the certificates in its files', async () => {
      const files = [path('a', client + authority), path('b', authority)];
      expect(await loaded({ loader: 'file', files })).to.deep.equal([client, authority, authority]);
    });

    it('the file loader rejects files that are missing or have no certificate', async () => {
      expect(await failure({ loader: 'file', files: [join(folder, 'none')] })).to.match(/ENOENT/);
      expect(await failure({ loader: 'file', files: [path('x', 'x')] })).to.match(/x: no PEM certificate/);
    });
  });

  describe('tls.leaf_cert_loader.folder', () => {
    it('the folder loader returns the certificates in .pem files at any depth', async () => {
      mkdirSync(join(folder, 'sub'));
      path('b.pem', client);
      path('sub/a.PEM', authority);
      path('c.crt', client);
      expect(await loaded({ loader: 'folder', folders: [folder] })).to.deep.equal([client, authority]);
    });

    it('the folder loader rejects missing directories', async () => {
      expect(await failure({ loader: 'folder', folders: [join(folder, 'none')] })).to.match(/ENOENT/);
    });
  });

  describe('tls.leaf_cert_loader.storage', () => {
    it('the storage loader returns the certificates stored under its keys', async () => {
      storage.values.set('clients/a', client);
      const config = { loader: 'storage', certificates: ['clients/a'] };
      expect(await loaded(config)).to.deep.equal([client]);
      expect(await loaded({ ...config, storage: { module: 'memory' } })).to.deep.equal([client]);
    });

    it('the storage loader rejects missing keys', async () => {
      expect(await failure({ loader: 'storage', certificates: ['none'] })).to.match(
        /^none: the key does not exist in storage/,
      );
    });
  });
});
