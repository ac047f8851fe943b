/** Findings and what can be done about them, in the language of the editor. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtin, builtinNames } from '../../analyzers/hover/builtins.ts';
import { speakOfFindings, translated } from '../../server/finding-texts.ts';
import { saidOfHovers } from '../../server/hover-texts.ts';
import { saidOfRuns } from '../../server/run-texts.ts';
import { theAnalyzer } from '../analyzers/open.ts';
import { Editor, root, wholeFile } from './editor.ts';

const SOURCE = `__global__ void turn(float* out, const float* in, int pitch) {
  __shared__ float s[256];
  s[threadIdx.x] = in[threadIdx.x * 32];
  out[threadIdx.x] = s[255 - threadIdx.x];
}
void run(float* out, const float* in) {
  turn<<<1, 256>>>(out, in, 3);
  cudaBindTexture(nullptr, 0, in, 0);
}
`;

const UNORDERED = 'write and read of byte 4 of cudaMalloc no. 1 (64 bytes) in global memory by two threads, in no order: ';

/** With the names and numbers of some run. */
const RUN_SAYINGS = [
  ...[
    'the fence or atomic between them orders threads of one block only; use __threadfence(), and an atomic of the device (without _block, or cuda::thread_scope_device)',
    'an atomic for one block is not atomic for the others; use one of the device (without _block, or cuda::thread_scope_device)',
    'neither a barrier of the whole grid nor a flag or lock that both use orders these: with one, put __threadfence() in front of the write that sets or frees it, and behind the read that sees it; __syncthreads() orders one block',
    'each reads it, changes it and writes it back, and another thread may come between; use atomicAdd',
    'each reads it, changes it and writes it back, and another thread may come between; use an atomic',
    'no barrier of the whole grid orders these: __syncthreads() orders one block; read from one array and write to another, end the kernel between them, or use grid.sync() in a cooperative launch, or atomics',
    'each reads it, compares it and writes it, and another thread may come between; use an atomic (atomicMax, atomicMin, atomicCAS)',
    'a thread that goes past a barrier of the block is not ordered by it; mend that first',
    'no barrier of the block is between one iteration of the loop and the next; put __syncthreads() at the end of its body, which all threads must reach in every round',
    'no barrier fits into the one line that reads and writes; read into a variable, put __syncthreads() behind that, outside of any condition, and then write',
    'lanes of a warp are not ordered by lock step, from one iteration of the loop to the next; put __syncwarp() at the end of its body, which all lanes must reach in every round',
    'lanes of a warp are not ordered by lock step, and no __syncwarp() fits into the one line that reads and writes; read into a variable, put __syncwarp() behind that, and then write',
  ].map((missing) => UNORDERED + missing),
  'write and read of byte 4 of cudaMalloc no. 1 (64 bytes) in global memory, in no order: neither of these two nodes of a graph depends on the other; make the second depend on the first, with cudaGraphAddDependencies or where it is added',
  'read by the host and write of byte 4 of cudaMallocHost no. 1 (64 bytes), in no order: the flag that the host has read was written without a fence, so it says nothing of what was written before; put __threadfence_system() in front of it',
  'nothing has written what is read here, element 3 of tile (4 bytes) in shared memory: on a GPU it holds whatever was there before; give it a value in the kernel, and put a barrier behind it where other threads do',
  ...['none of the bytes has been written', 'a kernel has stored what it had read where nothing was written'].map(
    (why) =>
      `cudaMemcpy brings bytes to the host that nothing has given a value, from byte 0 of cudaMalloc no. 1 (64 bytes) on: ${why}; on a GPU they hold whatever was there before`,
  ),
  'out-of-bounds read of 4 bytes at byte 8 of the shared memory of block 3 of the cluster: the cluster has no such block, or it has ended, or each block has 64 bytes',
  'out-of-bounds __global__ read of 4 bytes at 0x7f001000, in cudaMalloc no. 1 (64 bytes) of device 1: a kernel sees the memory of another device only behind cudaDeviceEnablePeerAccess(1, 0)',
  "the program may not read /etc/passwd: it is outside the program's folders. To allow it, pass --allow-read=/etc, or set lanewise.run.allowRead",
  "the program may not write /etc/a: it is outside the program's folders. To allow it, pass --allow-write=/etc, or set lanewise.run.allowWrite",
  ...['', ', 1 in part', ', 1,024 not at all', ', 1 in part, 1,024 not at all'].map(
    (rest) =>
      `races and uninitialised reads were looked for in 3 of 1,028 executed launches as a whole${rest}; --sanitize (in the editor lanewise.run.sanitize) looks at everything`,
  ),
  'a launch of add<float> failed, so the kernel did not run: cudaErrorInvalidConfiguration (invalid configuration argument); the program never asked for it by cudaGetLastError()',
  'a call failed and the program went on: cudaFree: cudaErrorInvalidValue at a.cu:3; it never asked for the error',
  '1 of 3 allocations was never freed: cudaMalloc no. 1 (64 bytes, a.cu:7)',
  '2 launches wait about 612 µs for 1.6 MiB of managed memory to come to the device, which the times of kernels leave out; cudaMemPrefetchAsync moves it ahead of its use, in about 152 µs',
  'a surface write of 4 bytes at (64, 0, 0), x in bytes, is outside its 64 bytes by 4 by 1',
];

const SAID = {
  fr: {
    strided: /^les lanes d’un warp sont espacées de 128 octets : 32 secteurs par requête au lieu de 4/,
    removed: '`cudaBindTexture` a été supprimé dans CUDA 12 ; utilisez un objet texture (`cudaCreateTextureObject`)',
    related: 'écrit ici',
    fix: 'Placer __syncthreads() entre l’écriture et la lecture',
    off: 'Ignorer missing-barrier ici, avec une raison',
    why: 'La mémoire se déplace par secteurs de 32 octets.',
    all: 'Tout sur uncoalesced-access',
  },
  ja: {
    strided: /^warp の lane が 128 バイト間隔で並んでいます: リクエストあたり 4 セクタで済むところが 32 セクタ/,
    removed: '`cudaBindTexture` は CUDA 12 で削除されました。テクスチャオブジェクト (`cudaCreateTextureObject`) を使ってください',
    related: '書き込みはここ',
    fix: '書き込みと読み出しの間に __syncthreads() を置く',
    off: 'ここで missing-barrier を抑制 (理由を書く)',
    why: 'メモリは 32 バイトのセクタ単位で動きます。',
    all: 'uncoalesced-access の詳細',
  },
  ko: {
    strided: /^warp의 lane들이 128바이트 간격으로 떨어져 있습니다: 요청당 섹터가 4개가 아니라 32개입니다/,
    removed: '`cudaBindTexture`은(는) CUDA 12에서 제거되었습니다. 텍스처 객체(`cudaCreateTextureObject`)을(를) 쓰세요',
    related: '여기서 씀',
    fix: '쓰기와 읽기 사이에 __syncthreads() 넣기',
    off: '여기서 missing-barrier 억제(이유 필요)',
    why: '메모리는 32바이트 섹터 단위로 움직입니다.',
    all: 'uncoalesced-access에 대한 모든 것',
  },
};

describe.each(['fr', 'ja', 'ko'] as const)('in %s', (language) => {
  it('findings, related places and actions are said, and fixes fix', async () => {
    const texts = JSON.parse(readFileSync(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8'));
    const editor = await Editor.start({ pull: true, locale: `${language}-XX`, options: { texts } });
    const uri = editor.open('said.cu', SOURCE);
    const found = await editor.pulled(uri);
    const message = (rule: string) => found.find(({ code }) => code === rule)?.message;
    const said = SAID[language];
    expect(message('uncoalesced-access')).toMatch(said.strided);
    expect(message('removed-api')).toBe(said.removed);
    expect(found.find(({ code }) => code === 'missing-barrier')?.relatedInformation?.map((each) => each.message)).toEqual([said.related]);
    const actions = await editor.actions(uri, wholeFile());
    const fix = actions.find(({ title }) => title === said.fix);
    expect(fix?.diagnostics?.map(({ code }) => code)).toEqual(['missing-barrier']);
    expect(fix?.edit?.changes?.[uri].map(({ newText }) => newText)).toEqual(['__syncthreads(); ']);
    expect(actions.map(({ title }) => title)).toContain(said.off);
    const explained = JSON.stringify((await editor.hover(uri, 2, 24))?.contents);
    for (const text of [said.why, said.all]) expect(explained).toContain(text);
    await editor.stop();
  });
});

describe('a text of which not all has a translation', () => {
  afterAll(() => speakOfFindings(undefined));

  it('stays English', () => {
    speakOfFindings('fr');
    const wording = (blocks: string) => ({ id: 'missing-barrier/race', parts: { object: 's', blocks: { id: blocks } } });
    expect(translated('as it was', wording('noSuchPhrase'))).toBe('as it was');
    expect(translated('as it was', wording('inBlocksOfWarps'))).toMatch(/^dans les blocs de plusieurs warps, lit des éléments de `s`/);
    expect(translated('as it was', { id: 'no-such-rule/message' })).toBe('as it was');
    expect(translated('as it was', undefined)).toBe('as it was');
    speakOfFindings('../../etc');
    expect(translated('as it was', wording('inBlocksOfWarps'))).toBe('as it was');
  });
});

describe('what runs say', () => {
  afterAll(() => speakOfFindings(undefined));
  const race =
    'write and volatile read of element 3 of cudaMalloc no. 1 (64 bytes) in global memory by two threads, in no order: no barrier of the block is between them; put __syncthreads() there';
  const outside =
    'out-of-bounds __global__ write of 4 bytes at 0x7f001000, directly after the end of cudaMalloc no. 1 (64 bytes at 0x7f000fc0)';

  it('is said in other languages, with its names and numbers', () => {
    speakOfFindings('fr');
    expect(saidOfRuns(`${race} (12 times)`)).toBe(
      'écriture et lecture volatile de l’élément 3 de cudaMalloc no. 1 (64 octets) en mémoire globale par deux threads, sans ordre : aucune barrière du bloc ne les sépare ; placez-y __syncthreads() (12 fois)',
    );
    expect(saidOfRuns(`out of bounds at a.cu:7: ${outside}`)).toMatch(
      /^hors limites, a\.cu:7 : écriture __global__ hors limites de 4 octets/,
    );
    expect(saidOfRuns('host fault at a.cu:7: the host program divided an integer by zero in f')).toBe(
      'défaut de l’hôte, a.cu:7 : le programme hôte a divisé un entier par zéro dans f',
    );
    speakOfFindings('ja');
    expect(saidOfRuns('host fault at a.cu:7: the host program divided an integer by zero in f')).toBe(
      'a.cu:7 でホストの障害: ホストプログラムが f で整数をゼロで割りました',
    );
    expect(saidOfRuns(race)).toMatch(
      /^グローバルメモリの cudaMalloc no\. 1 \(64 バイト\) の要素 3 に対する 2 つのスレッドの書き込みとvolatile 読み取り/,
    );
    expect(saidOfRuns('write by thread (1, 0, 0) of block (2, 0, 0)')).toBe('ブロック (2, 0, 0) のスレッド (1, 0, 0) による書き込み');
    speakOfFindings('ko');
    expect(saidOfRuns(outside)).toMatch(/^0x7f001000에서 4바이트의 범위 초과 __global__ 쓰기: cudaMalloc no\. 1/);
  });

  it.each(['fr', 'ja', 'ko'])('is said in %s, whatever the sanitizer, faults and notes have to say', (language) => {
    speakOfFindings(language);
    const english = RUN_SAYINGS.filter((text) => saidOfRuns(text) === text);
    expect(english).toEqual([]);
  });

  it('stays English where one of its parts would, and in English', () => {
    speakOfFindings('fr');
    expect(saidOfRuns(race.replace('no barrier', 'some new reason'))).toBe(race.replace('no barrier', 'some new reason'));
    expect(saidOfRuns('x'.repeat(5000))).toBe('x'.repeat(5000));
    speakOfFindings(undefined);
    expect(saidOfRuns(race)).toBe(race);
  });
});

describe('what hovers explain', () => {
  afterAll(() => speakOfFindings(undefined));

  it('is said in other languages, with its code and numbers', () => {
    speakOfFindings('fr');
    expect(saidOfHovers('**Kernel `f`**\n\n`f<int>`: 64 blocks of 48 threads = 2 warps each, the last with 16 lanes.')).toBe(
      '**Kernel `f`**\n\n`f<int>` : 64 blocs de 48 threads = 2 warps chacun, le dernier avec 16 lanes.',
    );
    expect(
      saidOfHovers(
        '**Branch on which the lanes of a warp diverge** (predicted)\n\nThis diverges: 16, then 8 of 32 lanes take one side while the others wait.',
      ),
    ).toBe(
      '**Branchement où divergent les lanes d’un warp** (predicted)\n\nCeci diverge : 16, puis 8 lanes sur 32 prennent un côté pendant que les autres attendent.',
    );
    speakOfFindings('ja');
    expect(saidOfHovers('Load of `a[i * 32]` in global memory: 32 sectors of 32 bytes per request, where 4 would do (predicted).')).toBe(
      'グローバルメモリの `a[i * 32]` のロード: リクエストあたり 32 バイトの 32 セクタ。4 で足ります (predicted)。',
    );
  });

  it('is said of all of CUDA’s names', () => {
    for (const language of ['fr', 'ja', 'ko']) {
      speakOfFindings(language);
      const english = builtinNames().filter((name) => saidOfHovers(builtinText(name)) === builtinText(name));
      expect(english.length / builtinNames().length, english.join(', ')).toBeLessThan(0.05);
    }
    expect(saidOfHovers(builtinText('half'))).toMatch(/^`half`: 16비트 부동소수점/);
  });

  it('is said of all that the rules’ examples have to explain', async () => {
    speakOfFindings('fr');
    const analyzer = await theAnalyzer();
    const paragraphs = new Set<string>();
    for (const name of readdirSync(join(root, 'test/fixtures/rules')).filter((_, index) => index % 2 === 0)) {
      for (const file of readdirSync(join(root, 'test/fixtures/rules', name)).filter((each) => each.endsWith('.cu'))) {
        const text = readFileSync(join(root, 'test/fixtures/rules', name, file), 'utf8');
        const document = analyzer.open(text);
        for (const [line, content] of text.split('\n').entries())
          for (const { index, 0: word } of content.matchAll(/\w+(?=[[(<]|\.\w+\()|\b(?:if|for|while)\b/g)) {
            const { markdown = '' } = document.hover({ line, column: index + word.length - 1 }) ?? {};
            for (const paragraph of markdown.split('\n\n')) paragraphs.add(paragraph);
          }
        document.dispose();
      }
    }
    expect(paragraphs.size).toBeGreaterThan(300);
    const isAlike = (paragraph: string) => ['', '---'].includes(paragraph) || /^\*\*Kernel /.test(paragraph);
    const english = [...paragraphs].filter((paragraph) => saidOfHovers(paragraph) === paragraph && !isAlike(paragraph));
    // What was rewritten since is said in English.
    expect(english.length / paragraphs.size, english.join('\n')).toBeLessThan(0.05);
  });
});

function builtinText(name: string): string {
  return builtin(name, '(') ?? builtin(name, ' x')!;
}
