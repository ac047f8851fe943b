/** What ships of others' work is listed with its licence, and the package is the same bytes wherever and whenever it is made. */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const script = (name: string) => import(pathToFileURL(join(root, 'scripts', name)).href);

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly expression: string }[];
  readonly properties: readonly { readonly value: string }[];
}
interface Sbom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

describe('the package', () => {
  it('has every bundle that a build makes', async () => {
    const { bundles } = await script('bundles.mjs');
    const made = bundles(root, { production: true }).map(({ outfile }: { readonly outfile: string }) => `!${outfile}`);
    const packed = readFileSync(join(root, '.vscodeignore'), 'utf8').split('\n');
    expect(made.length).toBeGreaterThan(8);
    expect(made.filter((line: string) => !packed.includes(line))).toEqual([]);
  });
});

describe('the bill of materials', () => {
  const text = readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8');
  const { components, dependencies } = JSON.parse(text) as Sbom;
  const files = (component: Component) => component.properties.map(({ value }) => value);

  it('lists each npm package that esbuild bundles, with the bundles that it is in', async () => {
    const { bundles, bundledPackages } = await script('bundles.mjs');
    const options = bundles(root, { production: true }) as object[];
    const built = await Promise.all(options.map((each) => build({ ...each, write: false, metafile: true })));
    const bundled = bundledPackages(built.map(({ metafile }) => metafile)) as ReadonlyMap<string, ReadonlySet<string>>;
    expect(bundled.size).toBeGreaterThan(8);
    const listed = new Map(
      components.flatMap((component): [string, string[]][] => {
        const inBundles = files(component).filter((file) => /^dist\/[^/]+$/.test(file));
        return inBundles.length ? [[component['bom-ref'], inBundles.sort()]] : [];
      }),
    );
    expect(listed).toEqual(new Map([...bundled].map(([folder, outputs]) => [folder, [...outputs].sort()])));
  });

  it('says of each file that is not made from our sources alone what is in it, and of nothing else', () => {
    const copied = ['clang', 'tree-sitter'].flatMap((folder) =>
      readdirSync(join(root, 'dist', folder)).map((name) => `dist/${folder}/${name}`),
    );
    const listed = new Set(components.flatMap(files));
    expect([...copied, 'dist/sysroot/sysroot.tar'].filter((file) => !file.endsWith('/stamp') && !listed.has(file))).toEqual([]);
    // Precompiled headers are compressed when the package is built.
    expect([...listed].filter((file) => !existsSync(join(root, file.replace(/\.pch\.br$/, '.pch'))))).toEqual([]);
    expect(components.filter((component) => files(component).length === 0)).toEqual([]);
  });

  it('knows the versions of what was compiled into them', () => {
    const version = (ref: string) => components.find((component) => component['bom-ref'] === ref)?.version ?? '';
    const clang = readFileSync(join(root, 'dist/clang/llvm.core.wasm'));
    const llvm = /llvm@([\d.]+)\?vcs_url=\S*%40([0-9a-f]{40})/.exec(text);
    expect(llvm?.[1]).toBe(version('llvm'));
    expect(clang.includes(`${version('llvm')} (`)).toBe(true);
    expect(clang.includes(llvm?.[2] ?? 'no commit')).toBe(true);
    const [major, minor, patch] = version('libcxx').split('.').map(Number) as [number, number, number];
    const libraries = readFileSync(join(root, 'dist/sysroot/sysroot.tar'));
    expect(libraries.includes(`define _LIBCPP_VERSION ${major * 10_000 + minor * 100 + patch}`)).toBe(true);
  });

  it('is the same for the same contents, and refers to nothing that is not in it', () => {
    expect(text).not.toMatch(/timestamp|serialNumber|"\/|\\\\/);
    const refs = components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref))).toEqual([]);
    const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect(refs.filter((ref) => !reached.has(ref))).toEqual([]);
    for (const { hashes = [] } of components) for (const { content } of hashes) expect(content).toMatch(/^[0-9a-f]{128}$/);
  });

  it('has its counterpart for people, with the text of every licence', () => {
    const notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const [list = '', ...sections] = notices.split(/^={100}\n(?=[^\n]+\n={100}$)/m);
    for (const { name, version, licenses } of components) {
      const label = version ? `${name} ${version}` : name;
      expect(list).toContain(`${label}: ${licenses[0]?.expression}\n`);
      const own = sections.filter((section) => section.split('\n')[0]?.split(', ').includes(label) || section.startsWith(label));
      expect(own.length, label).toBeGreaterThan(0);
      for (const section of own) expect(section.length, label).toBeGreaterThan(500);
    }
  });
});

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-package-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const contents = [
    'package.json',
    '.vscodeignore',
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'lanewise.schema.json',
    'docs/extension.md',
    'docs/images',
  ];
  const built = ['dist/extension.cjs', 'dist/icon.png', 'dist/sbom.cdx.json', 'dist/THIRD-PARTY-NOTICES.txt'];

  function copy(name: string, files: readonly string[], mode: number, seconds: number): string {
    const to = join(folder, name);
    for (const file of files) {
      mkdirSync(dirname(join(to, file)), { recursive: true });
      cpSync(join(root, file), join(to, file), { recursive: true });
      if (file === 'docs/images') continue;
      chmodSync(join(to, file), mode);
      utimesSync(join(to, file), seconds, seconds);
    }
    return to;
  }

  it('does not depend on the place, time, order and rights of the files', async () => {
    const { packVsix } = await script('vsix.mjs');
    const files = [...contents, ...built];
    const first = copy('a', files, 0o644, 1_000_000_000);
    const second = copy('another folder', files.toReversed(), 0o600, 1_500_000_000);
    const [one, other] = [join(folder, 'one.vsix'), join(folder, 'other.vsix')];
    packVsix(first, one);
    packVsix(second, other);
    const bytes = readFileSync(one);
    expect(bytes.length).toBeGreaterThan(10_000);
    expect(bytes.equals(readFileSync(other))).toBe(true);
    const { zipEntries } = await script('zip-entries.mjs');
    const names = [...(zipEntries(bytes) as ReadonlyMap<string, unknown>).keys()];
    for (const file of built) expect(names).toContain(`extension/${file}`);
  });
});
