// Writes what a new rule needs: its file, its page, a fixture, its line in the registry and its place in the schema of lanewise.json.
// `npm run new-rule unused-shared-memory`
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [id] = process.argv.slice(2);
if (!id || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) || id.startsWith('no-')) {
  console.error('Usage: npm run new-rule NAME, where the name says the defect in kebab-case: bank-conflict, missing-barrier');
  process.exit(2);
}
const name = camel(id);
const files = {
  [`analyzers/rules/${id}.ts`]: `import { defineRule } from './define-rule.ts';

/** What the defect is, in one sentence. */
export const ${name} = defineRule({
  id: '${id}',
  summary: 'The defect as a noun phrase',
  category: 'memory',
  severity: 'warning',
  messages: {
    found: 'what is wrong, why it matters with a number ({count}), what to do',
  },
  *detect(kernel) {
    for (const access of kernel.accesses) {
      if (access.object.space !== 'global') continue;
      yield { at: access.place, message: 'found', data: { count: 1 } };
    }
  },
});
`,
  [`docs/rules/${id}.md`]: `# ${id}

What it finds and why that costs.

## Found

\`\`\`cuda
__global__ void f(float* v) {
  v[threadIdx.x] = 1.0f;
  // ~^ warning[${id}] what is wrong
}
\`\`\`

## Right

\`\`\`cuda
__global__ void f() {}
\`\`\`

## What to do

## Evidence
`,
  [`test/fixtures/rules/${id}/basic.cu`]: `// What must be found, each with its mark.
__global__ void found(float* v) {
  v[threadIdx.x] = 1.0f;
  // ~^ warning[${id}] what is wrong
}

// What looks alike and is right.
__global__ void right() {
  float local = 1.0f;
  (void)local;
}
`,
};

const present = Object.keys(files).find((file) => existsSync(join(root, file)));
if (present) {
  console.error(`${present} exists already`);
  process.exit(1);
}
for (const [file, text] of Object.entries(files)) {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
}
await writeFile(join(root, 'analyzers/rules/registry.ts'), registry(await ruleIds()));
await addToSchema();
const written = [...Object.keys(files), 'analyzers/rules/registry.ts', 'lanewise.schema.json'];
format(written.filter((file) => /\.(ts|json)$/.test(file)));
for (const file of written) console.log(`wrote ${file}`);

async function ruleIds() {
  const other = new Set(['define-rule', 'phrases', 'registry', 'run-rules']);
  const names = (await readdir(join(root, 'analyzers/rules'))).filter((f) => f.endsWith('.ts')).map((f) => f.slice(0, -3));
  return names.filter((f) => !other.has(f)).sort();
}

async function addToSchema() {
  const path = join(root, 'lanewise.schema.json');
  const schema = JSON.parse(await readFile(path, 'utf8'));
  const { rules } = schema.properties;
  rules.properties[id] = { $ref: '#/definitions/severity', description: 'The defect as a noun phrase' };
  rules.properties = Object.fromEntries(Object.entries(rules.properties).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(path, `${JSON.stringify(schema, null, 2)}\n`);
}

/** As the linter wants it: order of imports, width of lines. */
function format(paths) {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const { status, stderr } = spawnSync(process.execPath, [biome, 'check', '--write', ...paths], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function registry(ids) {
  const imports = ids.map((each) => `import { ${camel(each)} } from './${each}.ts';\n`).join('');
  const list = ids.map((each) => `  ${camel(each)},\n`).join('');
  return `/** All rules, sorted by id. */\nimport type { Rule } from './define-rule.ts';\n${imports}\nexport const RULES: readonly Rule[] = [\n${list}];\n`;
}

function camel(text) {
  return text.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}
