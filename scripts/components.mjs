// The work of others that ships besides the packages that esbuild bundles: files that are copied, and what was compiled into them. What
// cannot be read off the files, such as the version of a library inside a WebAssembly module, was looked up where `source` says.
//
// `npm`: the folder of the package that it comes from, which gives version, licence, source and hash. `files`: those of the .vsix that
// have it in them. `texts`: where the licence's text is; `package:`, a file of an installed package, `library:`, one of the sources that
// make-sysroot.mjs compiles, with `#comment` their opening comment, `file:`, one of scripts/licenses, where no package carries it.
import { packages as libraryPackages } from './runtime/sources.mjs';

const clang = 'node_modules/@yowasp/clang';
const [muslPackage, llvmLibraries] = libraryPackages;
const llvmLicence = 'Apache-2.0 WITH LLVM-exception';
const llvmText = 'library:libcxx/LICENSE.TXT';
/** The libraries of host programs: archives and headers, and the headers once more in precompiled form. */
const hostLibraries = ['dist/sysroot/sysroot.tar', 'dist/pch/host.pch.br', 'dist/pch/device.pch.br'];

export const components = [
  {
    npm: clang,
    // Its package.json says ISC, its README Apache-2.0.
    licence: 'ISC AND Apache-2.0',
    files: ['dist/clang/llvm.mjs', ...[2, 3, 4].map((each) => `dist/clang/llvm.core${each}.wasm`)],
    texts: ['file:yowasp-runtime.txt', llvmText],
  },
  {
    ref: 'llvm',
    within: clang,
    name: 'LLVM, Clang and LLD',
    version: '22.1.0',
    commit: '9560ae0f2cc440e4fc891fddbc119da6f56daa59',
    licence: `${llvmLicence} AND Spencer-94 AND BSD-3-Clause AND BSD-2-Clause`,
    source: 'https://codeberg.org/YoWASP/llvm-project',
    files: ['dist/clang/llvm.core.wasm', 'dist/clang/headers.tar', ...hostLibraries],
    texts: [llvmText, 'file:llvm-parts.txt'],
  },
  {
    ref: 'wasi-libc',
    within: clang,
    name: 'wasi-libc',
    licence: `${llvmLicence} AND MIT AND BSD-2-Clause AND CC0-1.0`,
    source: 'https://github.com/WebAssembly/wasi-libc',
    files: ['dist/clang/llvm.core.wasm'],
    texts: ['file:wasi-libc.txt', llvmText, 'library:musl/COPYRIGHT'],
  },
  {
    ref: 'wasmtime-adapter',
    within: clang,
    name: 'jco and the WASI adapter of Wasmtime',
    version: '1.15.1',
    licence: llvmLicence,
    source: 'https://github.com/bytecodealliance/jco',
    files: ['dist/clang/llvm.mjs', ...[2, 3, 4].map((each) => `dist/clang/llvm.core${each}.wasm`)],
    texts: [llvmText],
  },
  {
    ref: 'yowasp-runtime',
    within: clang,
    name: '@yowasp/runtime',
    version: '11.0.67',
    purl: 'pkg:npm/%40yowasp/runtime@11.0.67',
    licence: 'ISC',
    source: 'https://github.com/YoWASP/runtime-js',
    files: ['dist/clang/llvm.mjs'],
    texts: ['file:yowasp-runtime.txt'],
  },
  {
    ref: 'nanotar',
    within: clang,
    name: 'nanotar',
    licence: 'MIT',
    source: 'https://github.com/unjs/nanotar',
    files: ['dist/clang/llvm.mjs'],
    texts: ['file:nanotar.txt'],
  },
  {
    ref: 'musl',
    name: 'musl',
    version: '1.2.4',
    licence: 'MIT',
    source: 'https://musl.libc.org',
    from: muslPackage,
    files: hostLibraries,
    texts: ['library:musl/COPYRIGHT'],
  },
  ...['libcxx', 'libcxxabi', 'libunwind'].map((folder) => ({
    ref: folder,
    name: { libcxx: 'libc++', libcxxabi: 'libc++abi', libunwind: 'libunwind' }[folder],
    version: '21.1.0',
    licence: `${llvmLicence} AND (NCSA OR MIT)`,
    source: 'https://github.com/llvm/llvm-project',
    from: llvmLibraries,
    files: hostLibraries,
    texts: [`library:${folder}/LICENSE.TXT`],
  })),
  {
    ref: 'ryu',
    within: 'libcxx',
    name: 'Ryu and <charconv>',
    licence: `BSL-1.0 AND ${llvmLicence}`,
    source: 'https://github.com/microsoft/STL',
    from: llvmLibraries,
    files: hostLibraries,
    texts: ['library:libcxx/src/ryu/d2s.cpp#comment'],
  },
  {
    ref: 'unicode-data',
    within: 'libcxx',
    name: 'Unicode data files',
    licence: 'Unicode-DFS-2016',
    source: 'https://www.unicode.org',
    from: llvmLibraries,
    files: hostLibraries,
    texts: ['library:libcxx/include/__format/width_estimation_table.h#comment'],
  },
  {
    // Its package has no file with them.
    npm: 'node_modules/@bufbuild/protobuf',
    licence: 'Apache-2.0 AND BSD-3-Clause',
    files: [],
    texts: ['file:protobuf-es.txt', 'package:node_modules/@bufbuild/protobuf/dist/esm/wire/varint.js#comment'],
  },
  { npm: 'node_modules/web-tree-sitter', files: ['dist/tree-sitter/web-tree-sitter.wasm'] },
  {
    ref: 'emscripten',
    within: 'node_modules/web-tree-sitter',
    name: 'Emscripten runtime',
    licence: 'MIT',
    source: 'https://github.com/emscripten-core/emscripten',
    files: ['dist/tree-sitter/web-tree-sitter.wasm'],
    texts: ['file:emscripten.txt', 'library:musl/COPYRIGHT'],
  },
  {
    ref: 'icu',
    within: 'node_modules/web-tree-sitter',
    name: 'ICU (UTF-8 and UTF-16 macros)',
    licence: 'ICU',
    source: 'https://github.com/unicode-org/icu',
    files: ['dist/tree-sitter/web-tree-sitter.wasm'],
    texts: ['file:icu.txt'],
  },
  { npm: 'node_modules/tree-sitter-cpp', files: ['dist/tree-sitter/tree-sitter-cpp.wasm'] },
  { npm: 'node_modules/tree-sitter-cuda', files: ['dist/tree-sitter/tree-sitter-cuda.wasm'] },
  // The grammar of C, which that of C++ extends as that of CUDA does that of C++.
  { npm: 'node_modules/tree-sitter-c', files: ['dist/tree-sitter/tree-sitter-cpp.wasm'] },
  { npm: 'node_modules/tree-sitter-cuda/node_modules/tree-sitter-c', files: ['dist/tree-sitter/tree-sitter-cuda.wasm'] },
  {
    ref: 'mtgp',
    name: 'MTGP (parameters of 200 generators)',
    commit: '9cea3283dc67d9fc6cfc044b7ae38fe9ef32afb3',
    version: '1.1.2',
    licence: 'BSD-3-Clause',
    source: 'https://github.com/MersenneTwister-Lab/MTGP',
    files: ['dist/include/curand_mtgp32dc_p_11213.h'],
    texts: ['file:mtgp.txt'],
  },
];
