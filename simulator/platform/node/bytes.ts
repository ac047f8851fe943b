import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Bytes } from '../platform.ts';

export const bytes: Bytes = {
  equal: (a, b) => a.length === b.length && Buffer.compare(a, b) === 0,
  latin1: ({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length).toString('latin1'),
  concat: (parts) => new Uint8Array(Buffer.concat(parts)),
  sha256(...parts) {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  },
  decompress: promisify(brotliDecompress),
};
