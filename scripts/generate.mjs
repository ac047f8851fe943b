// Writes the parts of other files that follow from tables in the code: counters in docs/counters.md, settings in package.json and in
// docs/settings.md, what of CUDA there is in docs/cuda-support.md. `npm run generate`; with `--check` it writes nothing and names the
// files that are out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { supportSections } from './cuda-support.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const { COUNTERS, LINE_COUNTERS, SHAPE_METRICS } = await load('counters/counters.ts');
const { SETTINGS } = await load('server/setting-table.ts');
const { UNSUPPORTED } = await load('simulator/runtime/cuda-unsupported.ts');
const support = await supportSections(root, UNSUPPORTED);
const outdated = [];
await update('docs/counters.md', (text) => section(section(text, 'per launch', perLaunch()), 'per line', perLine()));
const settingTexts = {};
await update('package.json', withSettings);
await update('package.nls.json', withSettingTexts);
await update('docs/settings.md', (text) => section(text, 'settings', settingRows()));
await update('docs/cuda-support.md', (text) => Object.entries(support).reduce((page, [name, lines]) => section(page, name, lines), text));
if (process.argv.includes('--check') && outdated.length > 0) {
  console.error(`out of date: ${outdated.join(', ')}; run npm run generate`);
  process.exit(1);
}

/** A module written in TypeScript. */
async function load(path) {
  const options = { entryPoints: [join(root, path)], bundle: true, format: 'esm', platform: 'node', write: false, logLevel: 'warning' };
  const { outputFiles } = await build(options);
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

async function update(path, change) {
  const before = await readFile(join(root, path), 'utf8');
  const after = change(before);
  if (after === before) return;
  outdated.push(path);
  if (!process.argv.includes('--check')) await writeFile(join(root, path), after);
}

/** The text with other lines between the comments that mark a generated section. */
function section(text, name, lines) {
  const [begin, end] = [`<!-- generated: ${name} -->\n`, '<!-- end -->'];
  const from = text.indexOf(begin);
  if (from < 0) throw new Error(`no section ${name}`);
  const to = text.indexOf(end, from);
  return `${text.slice(0, from)}${begin}\n${lines.join('\n')}\n\n${text.slice(to)}`;
}

function perLaunch() {
  const counted = COUNTERS.filter(({ metric }) => metric).map(({ metric, each, means }) => {
    const name = each ? metric.replace('*', `{${Object.keys(each).join(',')}}`) : metric;
    return `| \`${name}\` | ${means} |`;
  });
  const shape = Object.entries(SHAPE_METRICS).map(([name, words]) => `| \`${name}\` | ${words} |`);
  return ['| counter | what it counts |', '|---|---|', ...counted, ...shape];
}

function perLine() {
  return ['| counter | what it counts |', '|---|---|', ...LINE_COUNTERS.map(({ line, means }) => `| \`${line}\` | ${means} |`)];
}

function withSettings(text) {
  const manifest = JSON.parse(text);
  const properties = Object.entries(SETTINGS).map(([name, { schema, default: value, scope, description }]) => {
    const { type, enumDescriptions, ...rest } = schema;
    const key = description.includes('`') ? 'markdownDescription' : 'description';
    const described = enumDescriptions && {
      enumDescriptions: enumDescriptions.map((text, index) =>
        name === 'device' ? text : said(`setting.${name}.${schema.enum[index]}`, text),
      ),
    };
    return [`lanewise.${name}`, { type, default: value, ...rest, ...described, scope, [key]: said(`setting.${name}`, description) }];
  });
  manifest.contributes.configuration.properties = Object.fromEntries(properties);
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** A text that is translated: its place in package.json names it. Names of devices are the same everywhere. */
function said(key, text) {
  settingTexts[key] = text;
  return `%${key}%`;
}

function withSettingTexts(text) {
  const others = Object.entries(JSON.parse(text)).filter(([key]) => !key.startsWith('setting.'));
  return `${JSON.stringify({ ...Object.fromEntries(others), ...settingTexts }, undefined, 2)}\n`;
}

function settingRows() {
  const rows = Object.entries(SETTINGS).map(
    ([name, { description, inDocs, default: value }]) =>
      `| \`lanewise.${name}\` | ${inDocs ?? description} | \`${JSON.stringify(value)}\` |`,
  );
  return ['| Setting | What it is | Default |', '| --- | --- | --- |', ...rows];
}
