/** Going to definitions, and the outline of a file. In the texts, `«1:name»` is a name with a number, and `@1` behind a use expects it. */
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IncludedName } from '../../analyzers/syntax/headers.ts';
import type { Position, SourceRange, SourceSymbol } from '../../protocol/finding.ts';
import { theAnalyzer } from './open.ts';

interface Marked {
  readonly text: string;
  /** `line:column`, by number. */
  readonly definitions: ReadonlyMap<string, string>;
  readonly uses: readonly { readonly line: number; readonly column: number; readonly number: string }[];
}

function unmark(source: string): Marked {
  const definitions = new Map<string, string>();
  const uses: Marked['uses'][number][] = [];
  const lines = source.split('\n').map((marked, line) => {
    let text = '';
    for (const [, number, name, use, other] of marked.matchAll(/«(\w+):(\w+)»|@(\w)|([\s\S])/gu)) {
      if (number !== undefined) {
        definitions.set(number, `${line}:${text.length}`);
        text += name;
      } else if (use !== undefined) uses.push({ line, column: text.length - 1, number: use });
      else text += other;
    }
    return text;
  });
  return { text: lines.join('\n'), definitions, uses };
}

const HEADER = unmark(`#pragma once
#define «A:TILE» 16
struct «B:Cell» {
  float «C:mass»;
  __device__ float «D:energy»(float scale) const { return mass@C * scale; }
};
enum Mode { «E:fast», exact };
__device__ float «F:weigh»(Cell cell);
`);

const MAIN = unmark(`#include "cell.cuh"
using «a:Index» = int;
__constant__ float «b:factors»[TILE@A];
__device__ float «c:weigh»(Cell@B «d:cell») { return cell@d.mass@C * factors@b[0]; }
template <int «e:N»>
__global__ void «f:move»(Cell *«g:cells», Index@a count) {
  Index «h:i» = threadIdx.x;
  if (Mode «i:mode» = fast@E; mode@i == exact) {
    float «j:i» = cells@g[0].energy@D(2);
    cells->mass@C = i@j + N@e;
  }
  for (int «k:i» = 0; i@k < count; i++) cells[i@k].mass += weigh@c(cells[i]);
  cells[i@h].mass = 0;
}
int main() {
  Cell *«l:cells» = nullptr;
  move@f<3><<<1, 32>>>(cells@l, 1);
  auto add = [&](int «m:more») { return more + 1; };
}
`);

const files = new Map([
  ['/a/main.cu', MAIN],
  ['/a/cell.cuh', HEADER],
]);
const headers = {
  find({ name }: IncludedName, from: string) {
    const path = posix.join(posix.dirname(from), name);
    const file = files.get(path);
    return file && { path, text: file.text };
  },
};

describe('the definition of a name', () => {
  const wanted = (number: string): string => {
    const own = MAIN.definitions.get(number);
    return own ? own : `/a/cell.cuh ${HEADER.definitions.get(number)}`;
  };

  test.each(MAIN.uses.map((use) => [`${MAIN.text.split('\n')[use.line].trim()} at ${use.column}`, use] as const))('%s', async (_, use) => {
    const document = (await theAnalyzer()).open(MAIN.text, {}, { path: '/a/main.cu', headers });
    const [first] = document.definitions({ line: use.line, column: use.column });
    const place = first && `${first.path ? `${first.path} ` : ''}${first.range.start.line}:${first.range.start.column}`;
    expect(place).toBe(wanted(use.number));
    document.dispose();
  });

  test('of a function with several: the one with a body, then declarations', async () => {
    const document = (await theAnalyzer()).open(MAIN.text, {}, { path: '/a/main.cu', headers });
    const use = MAIN.uses.find(({ number }) => number === 'c')!;
    expect(document.definitions(use).map(({ path }) => path)).toEqual([undefined, '/a/cell.cuh']);
    document.dispose();
  });

  test('an #include leads to its header; what nobody defined leads nowhere', async () => {
    const document = (await theAnalyzer()).open(MAIN.text, {}, { path: '/a/main.cu', headers });
    expect(document.definitions({ line: 0, column: 14 })).toEqual([
      { path: '/a/cell.cuh', range: { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } } },
    ]);
    const line = MAIN.text.split('\n').findIndex((text) => text.includes('threadIdx'));
    expect(document.definitions({ line, column: MAIN.text.split('\n')[line].indexOf('threadIdx') })).toEqual([]);
    document.dispose();
  });
});

describe('where a name is used, and renaming it', () => {
  const texts = (document: { readonly text: string }, ranges: readonly SourceRange[]) => {
    const lines = document.text.split('\n');
    return ranges.map(({ start, end }) => `${start.line}: ${lines[start.line].slice(start.column, end.column)}`);
  };
  const placeOf = (number: string): Position => {
    const [line, column] = MAIN.definitions.get(number)!.split(':').map(Number);
    return { line, column };
  };

  test('a variable in the scope that it has, and none of the same name elsewhere', async () => {
    const document = (await theAnalyzer()).open(MAIN.text, {}, { path: '/a/main.cu', headers });
    expect(texts(document, document.references(placeOf('j')))).toEqual(['8: i', '9: i']);
    expect(texts(document, document.references(placeOf('k')))).toEqual(['11: i', '11: i', '11: i', '11: i', '11: i']);
    expect(texts(document, document.references(placeOf('h')))).toEqual(['6: i', '12: i']);
    expect(document.rename(placeOf('j'))).toEqual({ ranges: document.references(placeOf('j')) });
    document.dispose();
  });

  test('a kernel with its launches, an alias with its uses', async () => {
    const document = (await theAnalyzer()).open(MAIN.text, {}, { path: '/a/main.cu', headers });
    expect(texts(document, document.references(placeOf('f')))).toEqual(['5: move', '16: move']);
    expect(texts(document, document.references(placeOf('a')))).toEqual(['1: Index', '5: Index', '6: Index']);
    document.dispose();
  });

  test('what cannot be renamed everywhere is not renamed, with the reason', async () => {
    const document = (await theAnalyzer()).open(MAIN.text, {}, { path: '/a/main.cu', headers });
    const use = MAIN.uses.find(({ number }) => number === 'C')!;
    expect(document.rename(use)).toEqual({ problem: expect.stringContaining('is defined in a header') });
    const threadIdx = MAIN.text.split('\n').findIndex((text) => text.includes('threadIdx'));
    expect(document.rename({ line: threadIdx, column: 14 })).toBeUndefined();
    document.dispose();
    const macros = (await theAnalyzer()).open('#define TWICE(x) (x + count)\nint f(int count) { return TWICE(count); }\n');
    expect(macros.rename({ line: 1, column: 10 })).toEqual({ problem: expect.stringContaining('macro') });
    macros.dispose();
    const members = (await theAnalyzer()).open('struct A { int x; }; struct B { int x; };\nint f(A a, B *b) { return a.x + b->x; }\n');
    expect(members.rename({ line: 0, column: 15 })).toEqual({ problem: expect.stringContaining('Several types') });
    members.dispose();
  });
});

test('the outline has what the file itself defines, in its order, with names inside of their ranges', async () => {
  const analyzer = await theAnalyzer();
  const shown = ({ name, kind, detail, children }: SourceSymbol): unknown => [
    name,
    kind,
    ...(detail ? [detail] : []),
    ...(children.length > 0 ? [children.map(shown)] : []),
  ];
  const main = analyzer.open(MAIN.text, {}, { path: '/a/main.cu', headers });
  expect(main.symbols().map(shown)).toEqual([
    ['Index', 'type'],
    ['factors', 'variable'],
    ['weigh', 'function', '__device__'],
    ['move', 'kernel', '__global__'],
    ['main', 'function'],
  ]);
  const header = analyzer.open(HEADER.text, {}, { path: '/a/cell.cuh', headers });
  expect(header.symbols().map(shown)).toEqual([
    ['TILE', 'constant'],
    [
      'Cell',
      'type',
      [
        ['mass', 'field'],
        ['energy', 'method', '__device__'],
      ],
    ],
    [
      'Mode',
      'enum',
      [
        ['fast', 'constant'],
        ['exact', 'constant'],
      ],
    ],
    ['weigh', 'function', '__device__'],
  ]);
  main.dispose();
  header.dispose();
});
