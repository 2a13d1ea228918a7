/** Where the questions come from: ToolRL's own copy, pinned. */
import type { DataFile } from '../data.ts';

export const BAMBOOGLE_SOURCES: readonly DataFile[] = [
  {
    path: 'data.json',
    url: 'https://raw.githubusercontent.com/qiancheng0/ToolRL/8cee13ec0ca72f0461da372a93a6fd8140dbb840/benchmarks/Bamboogle/data.json',
    bytes: 17005,
    sha256: '82d2ff3996093300bf207c01f0a91a6fe7bd3608287ae623650788b712777f0c',
  },
];
