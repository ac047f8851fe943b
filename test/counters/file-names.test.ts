import { expect, it } from 'vitest';
import { fileNamed, nameOfFile, reportNames } from '../../counters/file-names.ts';

const named = (...paths: string[]) => Object.fromEntries(reportNames(paths));

it('files go by their base names', () => {
  expect(named('/p/a.cu', '/p/inc/b.cuh', '/p/a.cu')).toEqual({ '/p/a.cu': 'a.cu', '/p/inc/b.cuh': 'b.cuh' });
  expect(named()).toEqual({});
});

it('files that share one go by their paths from the folder around them, the others do not', () => {
  expect(named('/p/src/x/k.cu', '/p/src/y/deep/k.cu', '/p/main.cu')).toEqual({
    '/p/src/x/k.cu': 'x/k.cu',
    '/p/src/y/deep/k.cu': 'y/deep/k.cu',
    '/p/main.cu': 'main.cu',
  });
  expect(named('/p/k.cu', '/p/x/k.cu')).toEqual({ '/p/k.cu': 'k.cu', '/p/x/k.cu': 'x/k.cu' });
  expect(named('/p/ab/k.cu', '/p/ac/k.cu', '/q/k.cu')).toEqual({
    '/p/ab/k.cu': 'p/ab/k.cu',
    '/p/ac/k.cu': 'p/ac/k.cu',
    '/q/k.cu': 'q/k.cu',
  });
  // Headers of CUDA have no folder in nvcc's line table.
  expect(named('/p/math.h', 'math.h')).toEqual({ '/p/math.h': '/p/math.h', 'math.h': 'math.h' });
});

it('names lead back to files', () => {
  for (const paths of [
    ['/p/a.cu', '/p/b.cu'],
    ['/p/k.cu', '/p/x/k.cu', '/p/b.cu'],
    ['/p/x/k.cu', '/p/y/x/k.cu'],
  ]) {
    const names = reportNames(paths);
    for (const path of paths) {
      expect(fileNamed(names.get(path)!, paths)).toBe(path);
      expect(nameOfFile(path, names.values())).toBe(names.get(path));
    }
  }
  expect(fileNamed('k.cu', ['/p/ak.cu'])).toBeUndefined();
  expect(nameOfFile('C:\\p\\x\\k.cu', ['k.cu', 'x/k.cu', 'y/k.cu'])).toBe('x/k.cu');
});
