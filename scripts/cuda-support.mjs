// The lists of docs/cuda-support.md, from our headers and the tests: which functions there are, and how each is supported.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Lines of each generated section. `unsupported`: names of functions by what they would need. */
export async function supportSections(root, unsupported) {
  const include = join(root, 'simulator/include');
  const refused = new Set(Object.values(unsupported).flat());
  const called = await calledByTests(root);
  const rows = async (files) => {
    const names = new Set((await Promise.all(files.map((file) => namesIn(join(include, file))))).flat());
    return [...names].sort();
  };
  const runtime = await rows(['cuda_runtime_api.h', 'lanewise/graph-api.h']);
  const driver = (await rows(['cuda.h', 'lanewise/driver-api.h'])).filter((name) => name !== 'cuCtxCreate_v4');
  const works = (names) => names.filter((name) => !refused.has(name));
  const untested = [...works(runtime), ...works(driver)].filter((name) => !called.has(name));
  if (untested.length > 0) throw new Error(`no test calls ${untested.join(', ')}`);
  return {
    runtime: byArea(works(runtime), RUNTIME_AREAS),
    refused: Object.entries(unsupported).map(([what, names]) => `- ${what}: ${code([...names].sort())}`),
    driver: byArea(works(driver), DRIVER_AREAS),
    device: await deviceRows(root),
    headers: await headerRows(include),
  };
}

const HOST_FUNCTION = /^(?:__host__ )?(?:__device__ )?[\w ]+[ *](cu(?:da)?[A-Z]\w*)\(/gm;

const RUNTIME_AREAS = [
  ['graphs', /Graph|Capture|UserObject/],
  ['textures and surfaces', /Texture|Surface|ChannelDesc/],
  ['arrays', /Array/],
  ['memory pools', /Pool/],
  ['streams', /Stream|HostFunc/],
  ['events', /Event/],
  ['occupancy', /Occupancy/],
  ['functions and launches', /Func|Launch|Kernel/],
  ['managed memory', /Managed|Advise|Prefetch|MemRange/],
  ['copies and fills', /Memcpy|Memset|Symbol/],
  ['memory', /Malloc|Free|Host|Mem|Pointer/],
  ['errors', /Error/],
  ['devices', /./],
];
const DRIVER_AREAS = [
  ['modules and kernels', /Module|Func|Launch|Link|Library|Kernel|Occupancy|Param/],
  ['graphs', /Graph|Captur/],
  ['arrays, textures and surfaces', /Array|Tex|Surf|toA$|Ato/],
  ['memory', /Mem|Pointer/],
  ['streams and events', /Stream|Event/],
  ['contexts', /Ctx/],
  ['devices and errors', /./],
];
/** Programs that use every device function of an area, and how its names look there. */
const DEVICE_PROGRAMS = [
  ['mathematics', 'toolchain/headers/device-math.cu', /\bF\d\((\w+)\)|\b([a-z][a-z0-9]+)\(/g],
  [
    'integers, warps, atomics, fences',
    'toolchain/headers/device-intrinsics.cu',
    /\b(__[a-z]\w*|atomic\w+|printf|malloc|free|assert|clock\w*)\(/g,
  ],
  ['half and bfloat16', 'toolchain/headers/half.cu', /\b(__[a-z]\w*|h[a-z]\w*)\(/g],
  ['textures and surfaces', 'toolchain/headers/textures.cu', /\b(tex\w+|surf\w+(?:read|write))(?:<\w+>)?\(/g],
];
/** Words before a parenthesis that are no function of CUDA's. */
const OTHER_WORDS =
  /^(if|for|while|switch|sizeof|return|name|main|functions|scalar|texture|surfaces|unary|binary|bits|both|textures|__attribute__|__launch_bounds__)$/;

function code(names) {
  return names.map((name) => `\`${name}\``).join(', ');
}

function byArea(names, areas) {
  const left = new Set(names);
  const lines = areas.flatMap(([area, pattern]) => {
    const own = [...left].filter((name) => pattern.test(name));
    for (const name of own) left.delete(name);
    return own.length > 0 ? [`| ${area} | ${code(own)} |`] : [];
  });
  return ['| area | functions |', '|---|---|', ...lines];
}

async function deviceRows(root) {
  const lines = [];
  for (const [area, file, pattern] of DEVICE_PROGRAMS) {
    const text = await readFile(join(root, 'test/fixtures', file), 'utf8');
    const own = new Set(
      text
        .split('\n')
        .flatMap((line) => [...line.replace(/^.*__(?:global|device)__.*\{/, '').matchAll(pattern)].map(([, name, other]) => name ?? other)),
    );
    const names = [...own].filter((name) => !OTHER_WORDS.test(name)).sort();
    lines.push(`| ${area} | ${code(names)} |`);
  }
  return ['| area | functions |', '|---|---|', ...lines];
}

async function headerRows(include) {
  const all = (await readdir(include, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const named = all
    .filter((name) => /\.(h|hpp|cuh)$|^(cuda|cub|nv)\//.test(name) && !/^(lanewise|libstdcxx|crt)\/|\/detail\//.test(name))
    .sort();
  const folders = new Map();
  for (const name of named) {
    const folder = name.includes('/') ? name.slice(0, name.indexOf('/')) : /intrin\.h$/.test(name) ? 'SSE and AVX' : 'CUDA';
    folders.set(folder, [...(folders.get(folder) ?? []), name]);
  }
  // The helpers of NVIDIA's samples are included by their bare names.
  const asIncluded = (names) => names.map((name) => name.replace(/^samples\//, ''));
  return [...folders].map(([folder, names]) => `- ${folder === 'samples' ? "NVIDIA's samples" : folder}: ${code(asIncluded(names))}`);
}

async function namesIn(file) {
  const text = (await readFile(file, 'utf8')).replace(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(HOST_FUNCTION)].map(([, name]) => name);
}

async function calledByTests(root) {
  const called = new Set();
  for (const folder of ['test/fixtures/runtime', 'test/fixtures/linux', 'test/runtime']) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      if (!/\.(cu|cpp|c|test\.ts)$/.test(name)) continue;
      const text = await readFile(join(root, folder, name), 'utf8');
      for (const [, each] of text.matchAll(/\b(cu(?:da)?[A-Z]\w*)\s*(?:<[^;()]*>)?\(/g)) called.add(each);
    }
  }
  return called;
}
