/** Where the rows come from: ToolRL's repository at a fixed commit (Apache-2.0). */
import type { DataFile } from '../data.ts';
import { fileOf, type Level } from './data.ts';

const FOLDER =
  'https://raw.githubusercontent.com/qiancheng0/ToolRL/8cee13ec0ca72f0461da372a93a6fd8140dbb840/benchmarks/API-Bank';

const source = (level: Level, bytes: number, sha256: string): DataFile => ({
  path: fileOf(level),
  url: `${FOLDER}/level-${level}-api_processed.json`,
  bytes,
  sha256,
});

export const API_BANK_SOURCES: readonly DataFile[] = [
  source(1, 1_408_152, '51ebc8209ba467ce4cc1854d23b2cfd89759f3c45ff2aaf90de4f003162ea98f'),
  source(2, 215_912, '75c8097b3127d1f7aec13edb6b7a8428565d753b107f2b1e20daa3d0cfda51db'),
  source(3, 376_214, '57228427976f05725d9cf2f0ab03ac16487efaed67d5a929b28e974b9b27ef05'),
];
