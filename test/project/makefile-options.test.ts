/** What a Makefile says of its sources, and what it says of something else. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CompileCommands } from '../../project/compile-commands.ts';
import { makefileArguments, makefileOptions } from '../../project/makefile-options.ts';

function defines(...lines: string[]): string[] {
  return makefileOptions(lines.join('\n'), '/made').flatMap(([option, value]) => (option === '-D' ? [value] : []));
}

function folders(...lines: string[]): string[] {
  return makefileOptions(lines.join('\n'), '/made').flatMap(([option, value]) => (option === '-I' ? [value] : []));
}

describe('macros count', () => {
  it.each([
    'FLAGS = -O3 -DREAL=float',
    'FLAGS=-DREAL=float',
    'FLAGS := -DREAL=float\r',
    'FLAGS ::= -D REAL=float',
    'export FLAGS += $(EXTRA) -DREAL=float # -DOUT',
    'FLAGS ?= "-DREAL=float"',
    'CC = nvcc -DREAL=float',
    'CC = ccache /usr/local/cuda/bin/nvcc -DREAL=float',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: make's own variable.
    'FLAGS = -DREAL=float -DREV=`git rev-parse -D HEAD` -DDAY=$(shell date -D x) -DN=$(N) -DM=${M}',
    'FLAGS = $(foreach f,$(call list,$(OTHER) -DA),-D$(f)) -DREAL=float',
    "FLAGS = -Xptxas -v -Xlinker '-DA' -DREAL=float",
    'FLAGS = \\\n  -DREAL=float',
    'FLAGS = -DREAL=float; ./a -DA',
    '\tnvcc -DREAL=float -c $< -o $@',
    '\t@nvcc -c $< -o $@ -DREAL=float',
    '\t-@ $(CC) $(CFLAGS) -DREAL=float a.cu',
    '\t$(CUDA_PATH)/bin/nvcc -DREAL=float a.cu',
    '\t$(EXEC) $(NVCC) $(FLAGS) -DREAL=float a.cu',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: make's own variable.
    '\t$(Q)${HOST_COMPILER} -DREAL=float a.cu',
    '\t$(CXX) -DREAL=float a.cpp',
    '\tLC_ALL=C time x86_64-linux-gnu-g++-12 -DREAL=float a.cpp',
    '\ticpx -DREAL=float a.cpp',
    '\tnvcc -DREAL=float; ./a -DA',
    '\tnvcc a.cu -DREAL=float&& ./a -D A',
    '\tnvcc a.cu -DREAL=float 2>&1 | grep -D skip',
    '\tnvcc a.cu -DREAL=float>-DA -DB',
    '\t@echo "a; b" && nvcc a.cu -DREAL=float',
    'all: a.cu ; nvcc -DREAL=float a.cu',
  ])('%j', (line) => expect(defines(line)).toEqual(['REAL=float']));

  it('those in quotes, whole', () => {
    expect(defines('FLAGS = -DNAME=\'"a; b"\' -DSUM="(a > b)"')).toEqual(['NAME="a; b"', 'SUM=(a > b)']);
  });

  it("the host compiler's, one by one", () => {
    expect(defines("FLAGS = -Xcompiler '-DFOO -Iinc' -Xcompiler=-DA,-DB -Xcompiler -DC")).toEqual(['FOO', 'A', 'B', 'C']);
    expect(folders("FLAGS = -Xcompiler '-DFOO -Iinc' --compiler-options -Iother")).toEqual(['/made/inc', '/made/other']);
  });
});

describe('macros do not count', () => {
  it.each([
    '\tinstall -D -m 755 a /usr/bin',
    '\tgrep -D skip a',
    '\tcmake -DCMAKE_BUILD_TYPE=Release ..',
    '\t$(MAKE) FLAGS=-DA',
    '\techo nvcc -DA',
    '\techo $(nvcc) -DA',
    '\t# nvcc -DA',
    '\t./nvcc.sh -DA',
    '\tif [ -f a ]; then nvcc -DA a.cu; fi; nvcc -DB a.cu',
    '\tcd src && nvcc -DA -I.. a.cu',
    '\t(cd src; nvcc -DA a.cu)',
    '\tnvcc -DX=`cat v` a.cu',
    '\tnvcc -DX=$(shell cat v) a.cu',
    '\tnvcc -DX=$$(cat -D v) a.cu',
    '\tnvcc -D1 -D-m -D=2 -D"F(x)=x" -D "A B" a.cu',
    "\tnvcc -DNAME='a # b' a.cu",
    '    nvcc -DA a.cu',
    'debug: FLAGS += -DDEBUG',
    'debug:FLAGS=-DDEBUG',
    'debug test: export FLAGS = -DDEBUG ; nvcc -DA',
    'SEARCH = grep -D skip',
    'COPY = install -D a b',
    'CMAKE_FLAGS = -DBUILD=1',
    'BUILD = $(CMAKE) -DBUILD=1',
    'FLAGS != cat -DA',
    'FLAGS = -DX=`cat v -DA',
    'FLAGS = $(shell cat (-DA) -DB',
    'define FLAGS\nA = -DA\nendef',
    'ifdef DEBUG\nA = -DA\nendif',
    '-DA',
  ])('%j', (line) => expect(defines(line)).toEqual([]));

  it('with several values', () => {
    expect(defines('A = -DN=1 -DM -D', '\tnvcc -DN=2 a.cu', 'B = -DM')).toEqual(['M', 'M']);
  });
});

describe('sources of one program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-made-program-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const texts = { 'main.cu': 'int main() {}', 'kernels.cu': '', 'host.cpp': '', 'other.cu': 'int main() {}' };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const programs = (source: string, ...lines: string[]) => {
    writeFileSync(join(folder, 'Makefile'), lines.join('\n'));
    const found = new CompileCommands().of(join(folder, source), folder)!.programs;
    return found.map(({ name, files }) => [name, ...files.map((path) => basename(path))].join(' '));
  };

  it.each([
    ['source = kernels.cu main.cu'],
    ['SRCS := kernels.cu \\\n  main.cu # both'],
    ['obj = kernels.o main.o'],
    ['\tnvcc -O3 -o program kernels.cu main.cu'],
    ['source = kernels.cu main.cu', 'obj = $(source:.cu=.o)', 'all: ; $(CC) kernels.cu main.cu'],
  ])('are those that one list has: %j', (...lines) => {
    for (const source of ['main.cu', 'kernels.cu']) expect(programs(source, ...lines)).toEqual(['main main.cu kernels.cu']);
    expect(programs('other.cu', ...lines)).toEqual([]);
  });

  it('are looked for in no time, however many lists there are', () => {
    const lists = Array.from({ length: 15_000 }, (_, i) => `list${i} = main.cu kernels.cu lost${i % 7}.cu`);
    const objects = Array.from({ length: 15_000 }, (_, i) => `list${i} = main.o kernels.o lost${i}.o`);
    const start = performance.now();
    expect(programs('main.cu', 'source = main.cu kernels.cu', ...lists)).toEqual(['main main.cu kernels.cu']);
    expect(programs('main.cu', ...Array.from({ length: 30_000 }, () => 's=main.cu kernels.cu'))).toEqual(['main main.cu kernels.cu']);
    expect(programs('main.cu', ...objects)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('are those of the Makefile where a compile_commands.json, made by watching make, names none', () => {
    const list = join(folder, 'compile_commands.json');
    const entry = (name: string) => ({ directory: folder, file: name, arguments: ['nvcc', '-DN=4', '-c', name, '-o', `${name}.o`] });
    writeFileSync(list, JSON.stringify(['main.cu', 'kernels.cu'].map(entry)));
    expect(programs('kernels.cu', 'source = main.cu kernels.cu', 'FLAGS = -DN=2')).toEqual(['main main.cu kernels.cu']);
    expect(new CompileCommands().of(join(folder, 'kernels.cu'), folder)?.defines).toEqual(['N=4']);
    rmSync(list);
  });

  it('may be several programs', () => {
    const lines = ['one = main.cu kernels.cu', 'two = other.cu kernels.cu host.cpp'];
    expect(programs('kernels.cu', ...lines)).toEqual(['main main.cu kernels.cu', 'other other.cu kernels.cu host.cpp']);
    expect(programs('main.cu', ...lines)).toEqual(['main main.cu kernels.cu']);
  });

  it.each([
    ['a single one', 'source = main.cu'],
    ['with two main functions', 'source = main.cu other.cu'],
    ['without any', 'source = kernels.cu host.cpp'],
    ['of which one is not there', 'source = main.cu kernels.cu lost.cu'],
    ['with words that hang on others', 'source = main.cu kernels.cu $(MORE)'],
    ['under a condition', 'ifdef X\nsource = main.cu kernels.cu\nendif'],
    ['elsewhere', 'source = main.cu kernels.cu ../../outside.cu'],
    ['that another program gets', '\tclang-format -i main.cu kernels.cu'],
    ['more than anybody has', `source = main.cu kernels.cu ${'host.cpp '.repeat(1000)}`],
  ])('are none: %s', (_, line) => {
    expect(programs('main.cu', line)).toEqual([]);
  });
});

describe('a Makefile that nobody wrote by hand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-makefile-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (text: string) => {
    writeFileSync(join(folder, 'Makefile'), text);
    return new CompileCommands().of(join(folder, 'a.cu'), folder);
  };

  it('is none where it is larger than a MiB', () => {
    expect(read(`FLAGS = -DA\n#${' '.repeat(1 << 20)}`)).toBeUndefined();
    expect(read(`FLAGS = -D${'A'.repeat(20 << 20)}`)).toBeUndefined();
    expect(read(`FLAGS = -DA\n#${' '.repeat(1 << 19)}`)?.defines).toEqual(['A']);
  });

  it.each(['a', '\\a', '"', "'", '`', '"a\\"', "'a ", '$(', '${', '$(a', '$(a)', ';', 'a:', ' ', 'export ', '\\\n', '-DA ', '-Xcompiler '])(
    'is read at once: %j',
    (piece) => {
      const before = performance.now();
      for (const start of ['A = ', '\tnvcc '])
        expect(() => read(start + piece.repeat(Math.floor((1 << 20) / piece.length) - 10))).not.toThrow();
      const long = piece.repeat(Math.floor((1 << 20) / piece.length) - 100);
      for (const start of ['run: ', 'run: a.cu\n\t'])
        expect(() => {
          writeFileSync(join(folder, 'Makefile'), start + long);
          new CompileCommands().argumentsOf(join(folder, 'a.cu'));
        }).not.toThrow();
      expect(performance.now() - before).toBeLessThan(20_000);
    },
  );

  it('is none where it cannot be read', () => {
    read('FLAGS = -DA');
    chmodSync(join(folder, 'Makefile'), 0);
    expect(() => new CompileCommands().of(join(folder, 'a.cu'), folder)).not.toThrow();
  });
});

describe('arguments of make run', () => {
  const HEAD = ['program = main', 'source = main.cu kernel.cu', 'obj = $(source:.cu=.o)', '$(program): $(obj)', '\t$(CC) $(obj) -o $@'];
  const given = (lines: readonly string[], stem = 'main') => makefileArguments([...HEAD, ...lines].join('\n'), stem);

  it('are those of the program that is built', () => {
    expect(given(['run: $(program)', '\t$(LAUNCHER) ./$(program) 27 "a b"'])).toEqual(['27', 'a b']);
    expect(given(['run: $(program)', '\t@./$(program) filelist.txt -r 5 > out.txt'])).toEqual(['filelist.txt', '-r', '5']);
    expect(given(['run: main ; ./main 4'])).toEqual(['4']);
    // The first of several that has any.
    expect(given(['run: $(program)', '\techo 3', '\t./$(program)', '\t./$(program) 1 2', '\t./$(program) 8'])).toEqual(['1', '2']);
    expect(given(['run: $(program)', '\t./$(program) 5'], 'kernel')).toEqual(['5']);
  });

  it.each([
    ['there is no such target', ['start: $(program)', '\t./$(program) 5']],
    ['it gives none', ['run: $(program)', '\t./$(program)']],
    ['another program gets them', ['run: $(program)', '\tpython3 plot.py 5', '\t./other 5']],
    ['they hang on a variable', ['run: $(program)', '\t./$(program) $(SIZE)']],
    ['the shell makes them', ['run: $(program)', '\t./$(program) data/*.txt']],
    ['they are those of another target', ['run: $(program)', '', 'test: $(program)', '\t./$(program) 5']],
    ['it depends', ['ifdef DEBUG', 'run: $(program)', '\t./$(program) 5', 'endif']],
    ['it is elsewhere', ['run: $(program)', '\tcd data && ./$(program) 5']],
  ])('are unknown where %s', (_, lines) => expect(given(lines)).toBeUndefined());

  it('are unknown of a source that the Makefile does not name', () => {
    expect(given(['run: $(program)', '\t./$(program) 5'], 'other')).toBeUndefined();
  });
});
