/** lanewise.json: what it may say, which file counts, and its schema. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nearestProjectSettings, parseProjectSettings, SEVERITIES } from '../../analyzers/project-settings.ts';
import { RULES } from '../../analyzers/rules/registry.ts';
import { deviceIds } from '../../devices/devices.ts';
import { root } from './open.ts';

const parse = (text: string) => parseProjectSettings(text, ['h200', 't4']);

describe('lanewise.json', () => {
  test('sets severities, the CUDA version, the device and include paths', () => {
    const text = '\uFEFF{ "$schema": "x", "rules": { "bank-conflict": "off" }, "cudaVersion": "13.0", "device": "t4" }';
    expect(parse(text)).toEqual({
      settings: { rules: { 'bank-conflict': 'off' }, cudaVersion: '13.0', device: 't4' },
      includePaths: [],
      runs: [],
    });
    expect(parse('{}')).toEqual({ settings: { rules: {} }, includePaths: [], runs: [] });
    expect(parse('{ "device": "t4", "devices": 4 }')).toMatchObject({ devices: 4 });
    expect(parse('{ "devices": ["t4", "h200"] }')).toMatchObject({ devices: ['t4', 'h200'] });
    expect(parse('{ "includePaths": ["include", "/opt/x"] }')).toMatchObject({ includePaths: ['include', '/opt/x'] });
    expect(parse('{ "runs": { "a": { "files": ["a.cu"], "args": ["1"], "flags": ["--ftz=true"] } } }').runs).toMatchObject([
      { name: 'a', files: ['a.cu'], args: ['1'], flags: ['--ftz=true'] },
    ]);
  });

  test.each([
    ['{\n  "rulez": {}\n}', 'unknown setting "rulez"', [1, 2, 9]],
    ['{ "rules": [] }', 'rules must be an object', [0, 2, 9]],
    ['{ "rules": { "no-such": "off" } }', 'unknown rule "no-such"', [0, 13, 22]],
    ['{ "rules": {\n "bank-conflict": "loud" } }', 'bank-conflict: "loud" is not a severity', [1, 1, 16]],
    ['{ "rules": { "bank-conflict": 1 } }', 'bank-conflict: 1 is not a severity', [0, 13, 28]],
    ['{ "cudaVersion": 12.8 }', 'cudaVersion must be a string', [0, 2, 15]],
    ['{ "cudaVersion": "new" }', 'cudaVersion must be a string', [0, 2, 15]],
    ['{ "device": "gtx" }', '"gtx" is not a device; choose h200, t4', [0, 12, 17]],
    ['{ "devices": ["t4", "gtx"] }', '"gtx" is not a device', [0, 20, 25]],
    ['{ "devices": 0 }', 'devices must be a list of 1 to 16 devices, or their number', [0, 2, 11]],
    ['{ "device": null }', 'null is not a device', [0, 12, 16]],
    ['{ "includePaths": "include" }', 'includePaths must be a list of folders', [0, 2, 16]],
    ['{ "includePaths": [""] }', 'includePaths must be a list of folders', [0, 2, 16]],
    ['{ "runs": [] }', 'runs must be an object', [0, 2, 8]],
    ['{ "runs": { "a": 1 } }', 'a must be an object', [0, 12, 15]],
    ['{ "runs": { "a": { "files": [] } } }', 'files of the run "a" must be a list', [0, 12, 15]],
    ['{ "runs": { "a": { "files": ["a.cu"], "arg": [] } } }', 'unknown setting "arg" of the run "a"', [0, 38, 43]],
    ['{ "runs": { "a": { "files": ["a.cu"], "device": "gtx" } } }', '"gtx" is not a device', [0, 48, 53]],
    ['{ "runs": { "a": { "files": ["a.cu"], "flags": ["-O3"] } } }', 'flags of the run "a" must be of --use_fast_math', [0, 12, 15]],
    ['{\n "device": "t4",\n}', 'JSON', [2, 0, 0]],
    ['{ "device": ', 'JSON', [0, 12, 12]],
    ['7', 'expected an object', [0, 0, 0]],
  ])('%j is refused as a whole', (text, message, [line, from, to]) => {
    const { settings, includePaths, problem } = parse(text);
    expect([settings, includePaths]).toEqual([{}, []]);
    expect(problem?.message).toContain(message);
    expect(problem?.range).toEqual({ start: { line, column: from }, end: { line, column: to } });
  });

  test('the nearest one counts, alone', () => {
    const files = new Map([
      ['/a/lanewise.json', '{ "device": "t4" }'],
      ['/a/b/c/lanewise.json', '{}'],
    ]);
    const nearest = (folder: string) =>
      nearestProjectSettings(folder, { parent: dirname, join: (...parts) => parts.join('/'), read: (f) => files.get(f), devices: ['t4'] });
    expect(nearest('/a/b')).toMatchObject({ file: '/a/lanewise.json', settings: { device: 't4' } });
    expect(nearest('/a/b/c/d')).toEqual({ file: '/a/b/c/lanewise.json', settings: { rules: {} }, includePaths: [], runs: [] });
    expect(nearest('/other')).toBeUndefined();
  });

  test('one that cannot be read is a problem, and hides those above it', () => {
    const read = (file: string) => {
      if (file === '/a/b/lanewise.json') throw new Error('EACCES: permission denied');
      return file === '/a/lanewise.json' ? '{ "device": "t4" }' : undefined;
    };
    const nearest = nearestProjectSettings('/a/b/c', { parent: dirname, join: (...parts) => parts.join('/'), read, devices: ['t4'] });
    expect(nearest).toMatchObject({ file: '/a/b/lanewise.json', settings: {}, problem: { message: expect.stringContaining('EACCES') } });
  });

  test('has a schema that knows every rule, severity and device', () => {
    const schema = JSON.parse(readFileSync(join(root, 'lanewise.schema.json'), 'utf8'));
    expect(Object.keys(schema.properties)).toEqual(['$schema', 'rules', 'cudaVersion', 'includePaths', 'device', 'runs', 'devices']);
    expect(schema.properties.runs.additionalProperties.properties.device.enum).toEqual(schema.properties.device.enum);
    const described = Object.entries(schema.properties.rules.properties as Record<string, { readonly description: string }>);
    expect(described.map(([id, { description }]) => [id, description])).toEqual(RULES.map(({ id, summary }) => [id, summary]));
    expect(schema.definitions.severity.enum).toEqual(SEVERITIES);
    expect(schema.properties.device.enum).toEqual(deviceIds());
  });
});
