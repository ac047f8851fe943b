import { basename, dirname, extname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { platform } from 'node:process';
import type { Paths } from '../platform.ts';

export const paths: Paths = {
  separator: sep,
  windows: platform === 'win32',
  join,
  dirname,
  basename,
  extname,
  isAbsolute,
  relative,
  resolve,
  normalizePosix: posix.normalize,
};
