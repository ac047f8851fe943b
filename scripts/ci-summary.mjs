// Adds up what .ci/run collected: vitest's JSON reports and the file `steps`. Closes with `N passed, N failed`; exit 1 on any failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
let passed = 0;
let failed = 0;
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  console.log(`${name}: ${report.numPassedTests} passed, ${report.numFailedTests} failed`);
}
for (const line of readFileSync(join(folder, 'steps'), 'utf8').trim().split('\n')) {
  if (line.startsWith('ok ')) passed++;
  else failed++;
  console.log(line);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
