/** Certificates of clients that are let in as `leaf`. */
import { isObject } from '@sluice/base';
import { moduleLines, type ModuleOption, type WriteModule } from '@sluice/caddyfile';

const loader: ModuleOption = { option: '', namespace: 'tls.leaf_cert_loader', key: 'loader' };

/** `leaf LOADER …`, or a block where there are several. */
export const writeLeaf: WriteModule = async (options, writer) => {
  if (!isObject(options)) return null;
  const lines = await moduleLines(loader, options['leaf_certs_loaders'], writer);
  const block = lines.map((line) => ({ ...line, words: line.words.slice(1) }));
  const [only] = block;
  return [block.length === 1 && only !== undefined && only.block === undefined ? { words: only.words } : { block }];
};
