/** `npm run package:chart` packs the Helm chart. */
import { dirname } from 'node:path';
import { binaryFile } from '../binary/make-binary.ts';
import { makeChart } from './chart-package.ts';

console.log(`made: ${makeChart(dirname(binaryFile))}`);
