/** The page and its bundle, read once when the server starts: a request names one of these files or none, never a path. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

export interface Asset {
  type: string;
  body: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
  /** Its name carries a hash of its content. */
  immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Beside this file in the built package; from the sources, where it was built to. */
export function assetFolder(): string {
  const built = fileURLToPath(new URL('./app/', import.meta.url));
  const fromSource = fileURLToPath(new URL('../../dist/dashboard/app/', import.meta.url));
  return existsSync(join(built, 'assets')) ? built : fromSource;
}

export function readAssets(folder: string = assetFolder()): Map<string, Asset> {
  const found = new Map<string, Asset>();
  if (!existsSync(folder)) return found;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    const body = new Uint8Array(readFileSync(file));
    found.set(path, { type, body, gzip: new Uint8Array(gzipSync(body)), immutable: path.startsWith('/assets/') });
  }
  return found;
}
