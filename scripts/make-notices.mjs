// Writes what the package says about the work of others in it: dist/sbom.cdx.json, a bill of materials as CycloneDX 1.5 defines it, and
// dist/THIRD-PARTY-NOTICES.txt with the texts of the licences. Both depend on what ships alone: no time, no random number, no path.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { components } from './components.mjs';

/** `packages`: what esbuild bundles, by folder, with the files that it is in (bundles.mjs). */
export async function makeNotices({ root, dist, packages }) {
  const shipped = await shippedComponents(root, packages);
  const { name, version, license, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const direct = Object.keys(dependencies).map((each) => `node_modules/${each}`);
  const sbom = billOfMaterials({ name, version, license, dependencies: direct }, shipped);
  await writeFile(join(dist, 'sbom.cdx.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
  const texts = await licenceTexts({ root, dist }, shipped);
  await writeFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), notices(shipped, texts));
}

/** All components in one form, sorted by name. */
async function shippedComponents(root, packages) {
  const { packages: locked } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const byRef = new Map();
  for (const [folder, outputs] of packages) {
    const known = components.find(({ npm }) => npm === folder);
    byRef.set(folder, await fromNpm(root, locked, { ...known, npm: folder, files: [...outputs] }));
  }
  for (const component of components) {
    const ref = component.npm ?? component.ref;
    const made = component.npm ? await fromNpm(root, locked, component) : fromTable(component);
    const files = [...(byRef.get(ref)?.files ?? []), ...made.files];
    byRef.set(ref, { ...made, files: [...new Set(files)].sort() });
  }
  const list = [...byRef.values()].sort((a, b) => compare(`${a.name}@${a.version}`, `${b.name}@${b.version}`));
  return list.map((component) => ({ ...component, needs: component.needs.filter((ref) => byRef.has(ref)) }));
}

async function fromNpm(root, locked, { npm: folder, licence, files, texts }) {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  const entry = locked[folder];
  if (entry?.version !== manifest.version) throw new Error(`${folder} is not the version that package-lock.json names`);
  return {
    ref: folder,
    name: manifest.name,
    version: manifest.version,
    purl: npmUrl(manifest.name, manifest.version),
    licence: licence ?? manifest.license,
    source: sourceUrl(manifest.repository?.url ?? manifest.repository ?? manifest.homepage),
    sha512: integrityHash(entry.integrity),
    files,
    texts: texts ?? (await licenceFiles(root, folder)).map((file) => `package:${folder}/${file}`),
    needs: Object.keys(manifest.dependencies ?? {}).map((name) => resolved(locked, folder, name)),
    within: undefined,
  };
}

function fromTable({ ref, within, name, version, commit, purl, licence, source, from, files, texts }) {
  const url = from && npmUrl(...splitName(from.name));
  const origin = commit ? `pkg:generic/${ref}@${version}?vcs_url=${encodeURIComponent(`git+${source}@${commit}`)}` : purl;
  return { ref, within, name, version, purl: origin, licence, source, from: url, sha512: from?.sha512, files, texts, needs: [] };
}

/** Where npm put what a package requires: the nearest node_modules above it. */
function resolved(locked, folder, name) {
  for (let at = folder; ; at = at.slice(0, at.lastIndexOf('/node_modules/'))) {
    const path = `${at}/node_modules/${name}`;
    if (path in locked) return path;
    if (!at.includes('/node_modules/')) return `node_modules/${name}`;
  }
}

async function licenceFiles(root, folder) {
  const names = (await readdir(join(root, folder))).filter((name) => /^(licen[cs]e|copying|notice|third-?party-?notices)\b/i.test(name));
  if (names.length === 0) throw new Error(`${folder} has no licence file: say in scripts/components.mjs where its text is`);
  return names.sort();
}

const splitName = (name) => [name.slice(0, name.lastIndexOf('@')), name.slice(name.lastIndexOf('@') + 1)];
const npmUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
const integrityHash = (integrity) => /^sha512-(\S+)$/.exec(integrity)?.[1];
/** Repositories are written in many ways: `github:a/b`, `git@github.com:a/b.git`, `git+https://github.com/a/b`. */
function sourceUrl(text) {
  const [, path] = /^(?:.*github\.com[:/]|github:|)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text ?? '') ?? [];
  return path ? `https://github.com/${path}` : text;
}
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function billOfMaterials(own, shipped) {
  const parts = (ref) => shipped.filter(({ within }) => within === ref).map((component) => component.ref);
  const required = new Set(shipped.flatMap(({ needs, within }) => (within ? [...needs] : needs)));
  const direct = (ref) => !required.has(ref) || own.dependencies.includes(ref);
  const top = shipped.filter(({ ref, within }) => !within && direct(ref)).map(({ ref }) => ref);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own.name,
        name: own.name,
        version: own.version,
        licenses: [{ license: { id: own.license } }],
      },
    },
    components: shipped.map(componentEntry),
    dependencies: [
      { ref: own.name, dependsOn: top },
      ...shipped.map(({ ref, needs }) => ({ ref, dependsOn: [...needs, ...parts(ref)].sort(compare) })),
    ],
  };
}

function componentEntry({ ref, name, version, purl, licence, source, from, sha512, files }) {
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    ...(version && { version }),
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    licenses: [{ expression: licence }],
    ...(purl && { purl }),
    externalReferences: [
      ...(source ? [{ type: 'website', url: source }] : []),
      // The hash is then that of the package which carries the source.
      ...(from ? [{ type: 'distribution', url: from }] : []),
    ],
    properties: files.map((file) => ({ name: 'lanewise:file', value: file })),
  };
}

/** Each text once, with the components that it belongs to. */
async function licenceTexts({ root, dist }, shipped) {
  const libraries = JSON.parse(await readFile(join(dist, 'sysroot/licenses.json'), 'utf8'));
  const byText = new Map();
  for (const component of shipped) {
    for (const place of component.texts) {
      const text = (await licenceText(root, libraries, place)).replaceAll('\r\n', '\n').trim();
      byText.set(text, (byText.get(text) ?? new Set()).add(label(component)));
    }
  }
  return byText;
}

async function licenceText(root, libraries, place) {
  const [, kind, path, comment] = /^(package|library|file):(.*?)(#comment)?$/.exec(place);
  if (kind === 'file') return readFile(join(root, 'scripts/licenses', basename(path)), 'utf8');
  const text = kind === 'package' ? await readFile(join(root, path), 'utf8') : libraries[path];
  if (text === undefined) throw new Error(`${path} is not among the licence files of scripts/runtime/sources.mjs`);
  return comment ? openingComment(text) : text;
}

/** The lines before the first code, without the slashes. */
function openingComment(text) {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => line !== '' && !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}

const label = ({ name, version }) => (version ? `${name} ${version}` : name);

function notices(shipped, texts) {
  const line = '='.repeat(100);
  const list = shipped.map((component) =>
    [`${label(component)}: ${component.licence}`, component.source, `in ${component.files.join(', ')}`].filter(Boolean).join('\n    '),
  );
  const licences = [...texts].map(([text, names]) => `${line}\n${[...names].join(', ')}\n${line}\n\n${text}\n`);
  return [
    'Lanewise contains work of others. This is the list of it, with the files of the package that have it in them; the texts of the',
    'licences follow. The same list for machines is sbom.cdx.json.\n',
    ...list.map((entry) => `${entry}\n`),
    ...licences,
  ].join('\n');
}
