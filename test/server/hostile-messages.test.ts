/** Messages that no editor should send, at times when none should, and texts that are after the editor: the server answers and goes on. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawClient } from './raw-client.ts';

const strided = (name: string) => `__global__ void ${name}(float* v) {\n  v[32 * threadIdx.x] = 1;\n}\n`;

describe('a stream', () => {
  let client: RawClient;
  beforeAll(async () => {
    client = await RawClient.initialized();
    client.open('file:///w/a.cu', strided('k'));
  });
  afterAll(async () => expect(await client.stop()).toBe(0));

  it.each([
    ['JSON that is broken', '{"jsonrpc": "2.0", "method": "secret-of-mine'],
    ['an empty message', ''],
    ['no object', '42'],
    ['nothing', 'null'],
    ['a list', '[1, 2, 3]'],
    ['an object of something else', '{"secret-of-mine": true}'],
    ['a request without a number', '{"jsonrpc": "2.0", "id": null, "method": "textDocument/hover", "params": {}}'],
    ['a request whose method is none', '{"jsonrpc": "2.0", "id": "odd", "method": 7}'],
    ['a response to nothing', '{"jsonrpc": "2.0", "id": 99999, "result": "secret-of-mine"}'],
    ['a cancellation of nothing', '{"jsonrpc": "2.0", "method": "$/cancelRequest"}'],
  ])('with %s is understood afterwards', async (_, body) => {
    client.frame(body);
    expect(await client.rules('file:///w/a.cu')).toEqual(['uncoalesced-access']);
  });

  it.each([
    ['without a length', 'Content-Type: text\r\n\r\n'],
    ['with a word for a length', 'Content-Length: many\r\n\r\n'],
    ['with a negative length', 'Content-Length: -5\r\n\r\n'],
    ['with a length of terabytes', 'Content-Length: 99999999999999\r\n\r\n'],
    ['with a length that is too short', 'Content-Length: 3\r\n\r\n{"jsonrpc": "2.0", "method": "x"}'],
    ['with a length that is too long', 'Content-Length: 60\r\n\r\n{"jsonrpc": "2.0", "method": "x"}'],
    ['without a colon', 'secret-of-mine\r\n\r\n'],
    ['that never ends', 'secret-of-mine'.repeat(1000)],
  ])('with a header %s is understood afterwards', async (_, bytes) => {
    client.bytes(bytes);
    client.notify('$/skipped', {});
    expect(await client.rules('file:///w/a.cu')).toEqual(['uncoalesced-access']);
  });

  it('answers broken JSON with the error of the protocol, and logs no contents', () => {
    expect(client.heard).toContainEqual(expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }));
    expect(client.heard).toContainEqual(expect.objectContaining({ id: 'odd', error: expect.objectContaining({ code: -32600 }) }));
    expect(client.logged).toContain('not valid JSON');
    expect(client.logged).not.toContain('secret-of-mine');
  });
});

describe('a client', () => {
  it('that asks before it has said hello, twice, and after it has said goodbye, is refused', async () => {
    const client = new RawClient();
    expect((await client.request('textDocument/hover', {})).error?.code).toBe(-32002);
    client.open('file:///w/a.cu', strided('k'));
    expect((await client.request('initialize', { capabilities: 7 })).error?.code).toBe(-32602);
    expect((await client.request('initialize', { processId: null, rootUri: null, capabilities: {} })).error).toBeUndefined();
    expect((await client.request('initialize', { processId: null, rootUri: null, capabilities: {} })).error?.code).toBe(-32600);
    expect((await client.request('lanewise/unknown', {})).error?.code).toBe(-32601);
    expect((await client.request('shutdown')).error).toBeUndefined();
    for (const method of ['textDocument/hover', 'shutdown', 'lanewise/run', 'lanewise/unknown'])
      expect((await client.request(method, {})).error?.code).toBe(-32600);
    client.notify('exit');
    expect(await client.exit).toBe(0);
  });

  it('that leaves without a word ends the server, and one that leaves without a goodbye, with an error', async () => {
    const leaving = await RawClient.initialized();
    leaving.process.stdin?.end();
    expect(await leaving.exit).toBe(1);
    const rude = await RawClient.initialized();
    rude.notify('exit');
    expect(await rude.exit).toBe(1);
  });

  it('that is a process that has ended ends the server', async () => {
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const client = await RawClient.initialized({ processId: ended });
    expect(await client.exit).toBe(1);
  });

  it('that reads nothing any more ends the server', async () => {
    const client = await RawClient.initialized();
    client.process.stdout?.destroy();
    client.open('file:///w/a.cu', strided('k'));
    for (let i = 0; i < 20; i++) void client.request('textDocument/diagnostic', { textDocument: { uri: 'file:///w/a.cu' } });
    expect(await client.exit).toBe(1);
  });
});

describe('parameters', () => {
  let client: RawClient;
  beforeAll(async () => {
    client = await RawClient.initialized();
  });
  afterAll(async () => {
    expect(client.logged).not.toMatch(/Uncaught|Unhandled|secret/);
    expect(await client.stop()).toBe(0);
  });
  const uri = 'file:///w/b.cu';

  it('of the wrong types are refused', async () => {
    client.open(uri, strided('k'));
    const textDocument = { uri };
    const wrong: readonly (readonly [string, unknown])[] = [
      ['textDocument/hover', undefined],
      ['textDocument/hover', [1, 2]],
      ['textDocument/hover', { textDocument, position: { line: -1, character: 0 } }],
      ['textDocument/hover', { textDocument, position: { line: 1.5, character: 'x' } }],
      ['textDocument/hover', { textDocument: { uri: 7 }, position: { line: 0, character: 0 } }],
      ['textDocument/codeAction', { textDocument, range: null, context: {} }],
      ['textDocument/codeLens', { textDocument: null }],
      ['textDocument/diagnostic', { textDocument, previousResultId: {} }],
      ['workspace/executeCommand', { command: 5 }],
      ['lanewise/run', { uri: ['a'] }],
      ['lanewise/run', { uri, args: [1] }],
    ];
    for (const [method, params] of wrong) expect((await client.request(method, params)).error?.code, method).toBe(-32602);
    for (const method of ['didOpen', 'didChange', 'didClose', 'didSave']) {
      for (const params of [undefined, 5, [], {}, { textDocument: 5 }, { textDocument: { uri: {}, text: 'secret' } }])
        client.notify(`textDocument/${method}`, params);
    }
    client.open(uri.replace('b.cu', 'c.cu'), 5 as unknown as string);
    for (const [method, params] of [
      ['workspace/didChangeWatchedFiles', { changes: 'all' }],
      ['workspace/didChangeConfiguration', 7],
      ['workspace/didChangeConfiguration', { settings: { lanewise: { includePaths: 7, rules: [], 'run.arguments': {} } } }],
      ['lanewise/cancel', null],
      ['$/setTrace', null],
      ['window/workDoneProgress/cancel', null],
    ] as const)
      client.notify(method, params);
    expect(await client.rules(uri)).toEqual(['uncoalesced-access']);
  });

  it('that name no file on this machine are nothing to stumble over', async () => {
    for (const odd of ['file://elsewhere/w/a.cu', 'file:///%zz.cu', 'file:', '', 'untitled:x', '%', `file:///${'a/'.repeat(5000)}a.cu`]) {
      client.open(odd, strided('k'));
      expect(await client.rules(odd), odd.slice(0, 30)).toEqual(['uncoalesced-access']);
      client.notify('textDocument/didClose', { textDocument: { uri: odd } });
    }
  });

  it('of edits: ranges outside are clamped, reversed ones turned, wrong versions passed over', async () => {
    const change = (version: unknown, ...contentChanges: unknown[]) =>
      client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
    const range = (a: number, b: number, c: number, d: number) => ({ start: { line: a, character: b }, end: { line: c, character: d } });
    change(2, { range: range(900, 0, 2 ** 40, 5), text: strided('l').replace('32', '16') });
    expect(await client.rules(uri)).toHaveLength(2);
    change(1, { range: range(3, 0, 0, 0), text: '' });
    expect(await client.rules(uri)).toHaveLength(1);
    change(null, { text: strided('m') });
    expect(await client.rules(uri)).toHaveLength(1);
  });

  it('of edits that fit no text: the file is not analysed until its text is known again', async () => {
    const change = (contentChanges: unknown) =>
      client.notify('textDocument/didChange', { textDocument: { uri, version: 9 }, contentChanges });
    for (const contentChanges of [
      'x',
      [null],
      [{ text: 5 }],
      [{ range: { start: { line: -3, character: 0 }, end: { line: 0, character: 0 } }, text: 'x' }],
    ]) {
      change(contentChanges);
      expect(await client.rules(uri)).toEqual(['not-analysed']);
      change([{ text: strided('k') }]);
      expect(await client.rules(uri)).toEqual(['uncoalesced-access']);
    }
  });

  it('of edits to what was never opened are passed over', async () => {
    const never = { uri: 'file:///w/never.cu', version: 3 };
    client.notify('textDocument/didChange', { textDocument: never, contentChanges: [{ text: strided('k') }] });
    client.notify('textDocument/didClose', { textDocument: never });
    expect(await client.rules(never.uri)).toEqual([]);
  });

  it('of 3,000 open files leave the others alone', async () => {
    for (let i = 0; i < 3000; i++) client.open(`file:///w/many/${i}.cu`, strided(`k${i}`));
    expect(await client.rules('file:///w/many/2999.cu')).toEqual(['uncoalesced-access']);
    for (let i = 0; i < 3000; i++) client.notify('textDocument/didClose', { textDocument: { uri: `file:///w/many/${i}.cu` } });
    expect(await client.rules(uri)).toEqual(['uncoalesced-access']);
  });
});

describe('a source', () => {
  const evil = '`](command:workbench.action.quit) <img src=https://example.com/x> **bold** \u202eturned\u2066\u001b[31m';
  const kernel = `__global__ void k(float* v) {\n  v[32 * threadIdx.x /*${evil}*/] = 1;\n}\nvoid f(float* v) { k<<<1, 1024 * 2>>>(v); }\n`;
  let client: RawClient;
  beforeAll(async () => {
    client = await RawClient.initialized({ initializationOptions: { hoverPictures: true } });
    client.open('file:///w/evil.cu', kernel);
  });
  afterAll(() => client.stop());

  it('is shown in hovers as code, which nothing interprets', async () => {
    const textDocument = { uri: 'file:///w/evil.cu' };
    const { result } = await client.request('textDocument/hover', { textDocument, position: { line: 1, character: 4 } });
    const { value } = result.contents as { value: string };
    const span = value.split('\n').find((line) => line.includes('command:'))!;
    expect(span).toMatch(/ `` v\[32 \* threadIdx\.x \/\*`\]\(command:.*\*\/\] `` /);
    expect(value.split(span).join('')).not.toMatch(/command:|<img/);
    expect(value).toContain('\\u202eturned\\u2066\\u001b');
  });

  it('has its control characters written out in diagnostics, fixes and lenses', async () => {
    const textDocument = { uri: 'file:///w/evil.cu' };
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const replies = await Promise.all([
      client.request('textDocument/diagnostic', { textDocument }),
      client.request('textDocument/codeLens', { textDocument }),
      client.request('textDocument/codeAction', { textDocument, range, context: {} }),
    ]);
    const shown = JSON.stringify(
      replies.map(({ result }) => result),
      (key, value) => (key === 'newText' ? undefined : value),
    );
    expect(shown).toContain('uncoalesced-access');
    // JSON writes control characters as \\u001b, and those that turn directions as they are.
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|[^\\]\\u00[01]/);
  });
});
